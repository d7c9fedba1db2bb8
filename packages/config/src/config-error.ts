import { HearthError } from '@hearth/errors';

/** A mistake in the environment that a program was started with. */
export interface Mistake {
  /** The variable to correct. */
  variable: string;
  /** The fault, as a clause that follows the variable's name: `is "80a"`. Contains no secret. */
  problem: string;
  /** The expected value: `a whole number from 0 to 65535`. */
  expected: string;
}

/** Thrown by `readConfig`: lists every mistake in the environment, one per line of the message. */
export class ConfigError extends HearthError {
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    const heading = mistakes.length === 1 ? '1 invalid setting:' : `${mistakes.length} invalid settings:`;
    super('bad_request', [heading, ...mistakes.map(printMistake)].join('\n'));
    this.mistakes = mistakes;
  }
}

function printMistake({ variable, problem, expected }: Mistake): string {
  return `  ${variable} ${problem}; expected ${expected}`;
}
