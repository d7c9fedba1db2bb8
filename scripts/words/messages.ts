import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Passage } from './passages.ts';

/** Values filled into messages: a name takes a verb, and a number precedes what it counts. */
const standIn = { name: 'Robin', number: '3' };

/** A catalogue's messages with their values filled in, once for every choice of each. */
export function passagesOfCatalogue(path: string, text: string): Passage[] {
  const lines = text.split('\n');
  const messages = Object.entries(JSON.parse(text) as Record<string, string>);
  return messages.flatMap(([key, message]) => {
    const line = lines.findIndex((each) => each.trimStart().startsWith(`${JSON.stringify(key)}:`)) + 1;
    const elements = parse(message);
    const most = choicesOf(elements);
    const wordings = Array.from({ length: most }, (_, choice) => fill(elements, choice).trim());
    return [...new Set(wordings)].map((wording) => ({ path, line, text: wording }));
  });
}

/** The most options of a choice within a message. */
function choicesOf(elements: readonly MessageFormatElement[]): number {
  return Math.max(
    1,
    ...elements.map((element) => {
      if (element.type === TYPE.tag) return choicesOf(element.children);
      if (element.type !== TYPE.select && element.type !== TYPE.plural) return 1;
      const options = Object.values(element.options);
      return Math.max(options.length, ...options.map(({ value }) => choicesOf(value)));
    }),
  );
}

function fill(elements: readonly MessageFormatElement[], choice: number, count = standIn.number): string {
  const words = elements.map((element) => {
    if (element.type === TYPE.literal) return element.value;
    if (element.type === TYPE.tag) return fill(element.children, choice, count);
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      const options = Object.entries(element.options);
      const [option, { value }] = options[choice % options.length]!;
      return fill(value, choice, option === 'one' ? '1' : standIn.number);
    }
    return element.type === TYPE.argument ? standIn.name : count;
  });
  return words
    .join('')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b(Robin)(?: Robin)+\b/g, '$1');
}
