/** The types that the files of the page share, known in each of them; nothing here runs. */
import type { VNode } from "./vendor/preact.js";

declare global {
  /** What a route answers: `shown` is ready to print, `drawing` is for marks only and is never printed. */
  interface Answer {
    result: Record<string, any>;
    shown: Record<string, any>;
    drawing: Record<string, any>;
    code: { python: string; command: string };
  }

  /** What the server refused, in one teaching sentence; `field` is the path of the input at fault. */
  interface Failure {
    code: string;
    message: string;
    field: string | null;
  }

  /** What a mode is shown: the last answer (kept while a new one is on its way), or why there is none. */
  interface Answers {
    current: Answer | null;
    failure: Failure | null;
    waiting: boolean;
  }

  /** `live`: one of a rapid series (dragging, typing): coarse draws now, fine ones when it rests; one step of undo. */
  interface How {
    live?: boolean;
    /** What the change can alter, as the mode names it; while it is live only that is asked for. */
    part?: string;
  }

  /** What a mode may do. Paths are inside its own slice: `act.set("matrix.counts.0.1")(3)`. */
  interface Act {
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

  interface PageRequest {
    verb: string;
    body: Record<string, unknown>;
  }

  /** A tab. `view` is called while a component of its own renders, so it may use hooks. */
  interface Mode {
    name: string;
    title: string;
    initial: any;
    /** The question that `slice` asks; null asks nothing. `draws` in it is the most that such a question may have. */
    request(slice: any, how: How & { live: boolean }): PageRequest | null;
    /** Whether an input that a link or a file brought can be shown; what cannot is left as at first. */
    fits?: Record<string, (value: any, slice: any) => boolean>;
    /** The last answer with a part of it made anew. */
    merged?(before: Answer, answer: Answer, part: string): Answer;
    view(slice: any, answers: Answers, act: Act): VNode;
    /** The matrix that all tabs share, and the inputs with another one; tabs that take none have neither. */
    matrixOf?(slice: any): Matrix | undefined;
    withMatrix?(slice: any, matrix: Matrix): any;
    /** Of the inputs, besides prior, level and kind, what examples and pasted data leave as it is unless they bring it. */
    kept?(slice: any): object;
  }

  interface Matrix {
    classes: string[];
    /** Rows truth. A cell is a number, or what was typed if that is none. */
    counts: (number | string | null)[][];
    positive: string | null;
  }

  interface PageDocument {
    v: 1;
    mode: string;
    [mode: string]: any;
  }

  /** Score, and how many cases of either class have it. */
  interface Scores {
    classes: string[];
    positive: string | null;
    cells: number[][];
  }

  /** A count, or what was typed if it is none. */
  type Count = number | string | null;

  interface Four {
    name: string;
    tp: Count;
    fn: Count;
    fp: Count;
    tn: Count;
  }

  /** All of a board have `score`, as it is printed, or all have `correct`. */
  interface Entry {
    name: string;
    n: number | null;
    score?: string;
    correct?: number | null;
  }

  interface Classifier {
    name: string;
    matrix: Matrix;
  }

  /** Truth, the answer of each classifier, cases. */
  type PairedCell = [number, number[], number];

  /** The same cases answered by several classifiers. */
  interface Paired {
    classes: string[];
    models: string[];
    cells: PairedCell[];
    positive?: string | null;
  }

  /** What every tab assumes. */
  interface Assumed {
    prior: any;
    level: number;
    kind: string;
  }

  interface CompareSlice extends Assumed {
    /** With test sets of their own. */
    classifiers: Classifier[];
    /** The same cases; if there, it is what is compared. */
    paired: Paired | null;
    /** Paired cases taken as separate test sets all the same. */
    apart: boolean;
    /** Which two. */
    pair: [number, number];
    metric: string;
    /** 0 if every difference matters. */
    rope: number;
  }

  interface BoardSlice extends Assumed {
    source: "entries" | "classifiers" | "paired";
    entries: Entry[];
    classifiers: Classifier[];
    paired: Paired | null;
    metric: string;
    prizes: number[];
    top: number;
    /** Cases of a test set that is still to come. */
    new_test: number | null;
  }

  interface TablesSlice extends Assumed {
    tables: Four[];
    /** What each table is. */
    unit: "site" | "study";
    ask: "pool" | "slices";
    /** Of a pool; "" for sensitivity and specificity together. */
    rate: string;
    /** Of the slices. */
    metric: string;
  }

  type Goal = "width" | "above" | "chance" | "below" | "difference" | "margin";

  interface PlanSlice {
    metric: string;
    goal: Goal;
    /** One for each goal, so that none is lost by trying another; chance has none. */
    targets: Record<Goal, number>;
    assurance: number;
    supposed: "guess" | "pilot" | "worst";
    /** Of the metric itself. */
    guess: number;
    /** For a metric that is made of them. */
    rates: { recall: number; specificity: number; prevalence: number };
    pilot: Matrix;
    /** Of the pilot's positive class where the classifier will be used. */
    prevalence: number | null;
    /** Share of the cases on which only one of two is right; null for separate test sets. */
    paired: number | null;
    /** Cases that one has; 0 for none, null for those of the matrix. */
    have: number | null;
    prior: any;
    level: number;
  }

  interface PatientSlice extends Assumed {
    matrix: Matrix;
    /** The class that is asked about; null for the positive or the first one. */
    label: string | null;
    /** Its probability before the test. */
    percent: number;
    /** What the test said, one after the other. */
    results: string[];
  }

  interface ThresholdSlice extends Assumed {
    scores: Scores;
    /** The place of the slider as a score; null for where the answer puts it. */
    at: number | null;
    /** A threshold that was typed and may be no place of the slider. */
    typed: number | null;
    curve: "roc" | "precision_recall";
    /** "" for none. */
    best: string;
    cost: { fp: number; fn: number };
    /** Whether net benefit is asked for. */
    benefit: boolean;
    /** In per cent; null for that of the cases. */
    prevalence: number | null;
  }

  interface Option {
    value: any;
    label: string;
    title?: string;
  }

  /** What a text was read as. */
  interface Read {
    kind: "matrix" | "classifiers" | "paired" | "leaderboard" | "scores" | "tables" | "data";
    notes?: string[];
    [part: string]: any;
  }

  type Reads = { name: string; read: Read }[];

  /** A text to read; a workbook is none. */
  interface Source {
    name: string;
    text: string | Blob;
    pasted?: boolean;
  }

  /** What is said of a text, or asked; `other`: what it is for another tab. */
  interface Told {
    said: string[];
    wrong: string;
    left: Open | null;
    other?: Read | null;
  }

  /** The text itself, which may be read anew. */
  interface Taken {
    sources: Source[];
    options: string[];
    read: Read | null;
  }

  /** What a text may leave open; `option`: a number. */
  interface Open {
    about: RegExp;
    ask: string;
    answers: [string, string][];
    option?: string;
  }

  /** A place for a hand, in the units of the picture: `low` and `high` are the values at its ends. */
  interface Hand {
    x: number;
    y: number;
    wide: number;
    tall: number;
    low: number;
    high: number;
    at(value: number): number;
  }

  interface Ground {
    layer: Element;
    width: number;
    height: number;
    hands: Hand[];
    curves: [number, number][][];
  }

  /** Marks are part of the picture; inputs lie on it or follow it. */
  interface Over {
    marks: any;
    inputs?: any;
  }

  type DataKind = "items" | "votes" | "ratings";

  /** A text that is more than a matrix. */
  interface Data {
    of: DataKind;
    /** What it may be read as. */
    kinds: DataKind[];
    /** Of systems, models or raters. */
    names: string[];
    text: string;
    /** Of its file, where the text does not show what it is. */
    ending: string;
    metric?: string | null;
    /** The two that are compared. */
    a?: string | null;
    b?: string | null;
    /** The rater that is one. */
    model?: string | null;
    /** The ends of the scale of scores. */
    low?: number | null;
    high?: number | null;
    better?: string;
    /** Of categories. */
    scale?: string;
    /** Of the interval. */
    kind?: string;
    rope?: number | null;
  }
}
