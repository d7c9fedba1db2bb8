import type { Floor } from './floor.ts';

/** A bound for a figure, from the project's quality plan. */
export interface Mark {
  atMost?: number;
  atLeast?: number;
}

export interface Figure {
  name: string;
  value: number;
  unit: string;
  mark?: Mark;
  /** The least that the same work can cost on this machine, measured in the same run, and its parts. */
  floor?: { value: number; of: string };
}

export interface CaseResult {
  figures: Figure[];
  /** The data behind the figures, such as CPU by process and all rounds; written to the file. */
  details?: Record<string, unknown>;
}

export interface Bench {
  /** Shorter rounds and smaller stocks, for use during development. */
  quick: boolean;
  /** Whether the home's processes write CPU profiles. */
  profile: boolean;
  floor: Floor;
  say(line: string): void;
}

export interface Case {
  name: string;
  /** One line about the measurement. */
  about: string;
  run(bench: Bench): Promise<CaseResult>;
}

/** Whether a figure meets its mark; undefined without one. */
export function keeps({ value, mark }: Figure): boolean | undefined {
  if (mark === undefined) return undefined;
  return (
    value <= (mark.atMost ?? Number.POSITIVE_INFINITY) && value >= (mark.atLeast ?? Number.NEGATIVE_INFINITY)
  );
}
