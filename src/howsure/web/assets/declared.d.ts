/** What `howsure.web.assets.declared` makes of the declarations of the library; the server has it as declared.js. */
export interface Option {
  value: string;
  label: string;
  title?: string;
}

export const declared: {
  priors: (Option & { meaning: string; classes: number | null })[];
  kinds: Option[];
  levels: { value: number; label: string }[];
  /** Unasked. */
  level: number;
  kind: string;
  draws: number;
  endings: Option[];
  /** Metrics that are one rate, and all that a plan is offered for. */
  rates: string[];
  planned: string[];
  /** Those of them that have a value of chance. */
  with_chance: string[];
  /** What people call metrics of two classes, where it is another name. */
  plain: Record<string, string>;
  /** Whom to cite. */
  citation: string;
  most_classes: number;
  most_bytes: number;
};

/** Of each tab (`howsure/web/examples.json`), what it opens with first; `patch`: over the inputs of its tab, or of `mode`. */
export const examples: Record<string, { name: string; hint?: string; patch: any }[]>;
