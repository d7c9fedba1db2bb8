import { type DescEnum, getOption, hasOption } from '@bufbuild/protobuf';
import { enum_name as wordOption } from '@hearth/proto/options';

export interface EnumWords {
  /** In the order of declaration; without the value 0, which means that nothing was given. */
  words: string[];
  numberOf: Map<string, number>;
  wordOf: Map<number, string>;
}

const compiled = new WeakMap<DescEnum, EnumWords>();

/** The words that stand for an enum's values in JSON: their own, or the name in lower case without the prefix of the type. */
export function enumWords(desc: DescEnum): EnumWords {
  const known = compiled.get(desc);
  if (known) return known;
  const numberOf = new Map<string, number>();
  const wordOf = new Map<number, string>();
  const prefixLength = desc.sharedPrefix?.length ?? 0;
  for (const value of desc.values) {
    if (value.number === 0) continue;
    const word = hasOption(value, wordOption)
      ? getOption(value, wordOption)
      : value.name.slice(prefixLength).toLowerCase();
    numberOf.set(word, value.number);
    // With allow_alias several words mean one number; the first declared is the one that is printed.
    if (!wordOf.has(value.number)) wordOf.set(value.number, word);
  }
  const words = { words: [...numberOf.keys()], numberOf, wordOf };
  compiled.set(desc, words);
  return words;
}
