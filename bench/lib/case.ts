import type { Floor } from './floor.ts';

/** A bound that a figure is to keep: the marks of the project's quality plan. */
export interface Mark {
  atMost?: number;
  atLeast?: number;
}

export interface Figure {
  name: string;
  value: number;
  unit: string;
  mark?: Mark;
  /** The least that the same work can cost on this machine, measured in the same run, and what it is made of. */
  floor?: { value: number; of: string };
}

export interface CaseResult {
  figures: Figure[];
  /** The data behind the figures: CPU by process, all rounds; it goes into the file. */
  details?: Record<string, unknown>;
}

export interface Bench {
  /** Shorter rounds and smaller stocks, for a look while working. */
  quick: boolean;
  /** Whether the home's processes write CPU profiles. */
  profile: boolean;
  floor: Floor;
  say(line: string): void;
}

export interface Case {
  name: string;
  /** One line: what is measured. */
  about: string;
  run(bench: Bench): Promise<CaseResult>;
}

/** Whether a figure keeps its mark; undefined when it has none. */
export function keeps({ value, mark }: Figure): boolean | undefined {
  if (mark === undefined) return undefined;
  return (
    value <= (mark.atMost ?? Number.POSITIVE_INFINITY) && value >= (mark.atLeast ?? Number.NEGATIVE_INFINITY)
  );
}
