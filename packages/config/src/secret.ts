import { createHash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const hidden = '[secret]';

/**
 * A value that must not leak into logs, pages or error messages: it always prints as `[secret]`,
 * and only `reveal()` returns it.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** Whether `candidate` is the value; compares in constant time. */
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
