import { internal } from '@hearth/errors';

/** An enum of the generated code: its names lead to numbers and its numbers to names. */
type Enum = Record<string, string | number>;

/** How the database spells an enum's value: "claude" for Platform.CLAUDE. */
export function toWord(type: Enum, value: number): string {
  const name = type[value];
  if (typeof name !== 'string' || value === 0) throw internal(`no word for the value ${value}`);
  return name.toLowerCase();
}

/** The enum's value that the database spells so. */
export function fromWord<Value extends number>(type: Enum, word: string): Value {
  const value = type[word.toUpperCase()];
  if (typeof value !== 'number') throw internal(`no value for the stored word ${word}`);
  return value as Value;
}
