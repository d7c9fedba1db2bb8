import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** How a message uses a value: as it is, as a number, as the choice of an option, or as markup around words. */
export interface Placeholder {
  kind: 'value' | 'number' | 'select' | 'tag';
  /** The options of a select. */
  options: readonly string[];
}

/** The values that an ICU message takes, by name. @throws SyntaxError */
export function placeholdersOf(message: string): Map<string, Placeholder> {
  const found = new Map<string, Placeholder>();
  collect(parse(message), found);
  return found;
}

function collect(elements: readonly MessageFormatElement[], found: Map<string, Placeholder>): void {
  for (const element of elements) {
    const { type } = element;
    if (type === TYPE.literal || type === TYPE.pound) continue;
    const { value: name } = element;
    const { options = [] } = found.get(name) ?? {};
    if (type === TYPE.argument) {
      if (!found.has(name)) found.set(name, { kind: 'value', options });
    } else if (type === TYPE.tag) {
      found.set(name, { kind: 'tag', options });
      collect(element.children, found);
    } else if (type === TYPE.select) {
      found.set(name, {
        kind: 'select',
        options: [...new Set([...options, ...Object.keys(element.options)])],
      });
    } else {
      found.set(name, { kind: 'number', options });
    }
    if (type === TYPE.select || type === TYPE.plural)
      for (const option of Object.values(element.options)) collect(option.value, found);
  }
}
