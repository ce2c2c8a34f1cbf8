/** The types that the files of the page share; nothing here runs. */
import type { VNode } from "./vendor/preact.js";

/** What a route answers: `shown` is ready to print, `drawing` is for marks only and is never printed. */
export interface Answer {
  result: Record<string, any>;
  shown: Record<string, any>;
  drawing: Record<string, any>;
  code: { python: string; command: string };
}

/** What the server refused, in one teaching sentence; `field` is the path of the input at fault. */
export interface Failure {
  code: string;
  message: string;
  field: string | null;
}

/** What a mode is shown: the last answer (kept while a new one is on its way), or why there is none. */
export interface Answers {
  current: Answer | null;
  failure: Failure | null;
  waiting: boolean;
}

/** `live`: one of a rapid series (dragging, typing): coarse draws now, fine ones when it rests; one step of undo. */
export interface How {
  live?: boolean;
  /** What the change can alter, as the mode names it; while it is live only that is asked for. */
  part?: string;
  /** Where the slider of the part stands, if the inputs do not say so. */
  here?: number;
}

/** What a mode may do. Paths are inside its own slice: `act.set("matrix.counts.0.1")(3)`. */
export interface Act {
  /** What sets the input at a path. */
  set(path: string): (value: unknown, how?: How) => void;
  change(fn: (slice: any) => any, how?: How): void;
  /** An example: data over the initial inputs, with the settings as they are. */
  fill(patch: object): void;
  /** Opens another mode; with `patch` its inputs are the initial ones with this over them, and its settings as they were. */
  go(mode: string, patch?: object): void;
  /** One question beside the live ones; rejects with a Failure. */
  ask(verb: string, body: object): Promise<any>;
  /** For screen readers, once the sentence has rested for half a second. */
  say(text: string): void;
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
}

export interface Request {
  verb: string;
  body: Record<string, unknown>;
  /** Nothing is drawn for it that was not drawn for the last answer at rest, so it has as many draws. */
  known?: boolean;
  /** How many stops of a slider the first question about them has. */
  few?: number;
}

/** A tab. `view` is called while a component of its own renders, so it may use hooks. */
export interface Mode {
  name: string;
  title: string;
  initial: any;
  /** The question that `slice` asks; null asks nothing. `draws` in it is the most that such a question may have. */
  request(slice: any, how: How & { live: boolean }): Request | null;
  /** The inputs without what cannot be shown, which a link or a file may have brought. */
  sound?(slice: any): any;
  /** What its slider changes, and where it stands; the places about it are asked for while the page rests. */
  slider?(answer: Answer): How | null;
  /** The last answer with a part of it made anew. */
  merged?(before: Answer, answer: Answer, part: string): Answer;
  view(slice: any, answers: Answers, act: Act): VNode;
  /** The matrix that all tabs share, and the inputs with another one; tabs that take none have neither. */
  matrixOf?(slice: any): Matrix | undefined;
  withMatrix?(slice: any, matrix: Matrix): any;
  /** Of the inputs, besides prior, level and kind, what examples and pasted data leave as it is unless they bring it. */
  kept?(slice: any): object;
}

export interface Matrix {
  classes: string[];
  /** Rows truth. A cell is a number, or what was typed if that is none. */
  counts: (number | string | null)[][];
  positive: string | null;
}

export interface Document {
  v: 1;
  mode: string;
  [mode: string]: any;
}
