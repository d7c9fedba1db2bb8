import { createHash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const hidden = '[secret]';

/**
 * A value that must never reach a log, a page or an error message by accident: it prints as `[secret]`
 * whichever way it is turned into text, and gives its value only to `reveal()`.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** Whether `candidate` is the value, found out in a time that tells nothing about where they differ. */
  matches(candidate: string): boolean {
    return timingSafeEqual(sha256(this.#value), sha256(candidate));
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
