import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '@hearth/proto-json';
import { areaOf, readCatalogue } from './catalogues.ts';
import type { Catalogue } from './language.ts';
import { type Placeholder, placeholdersOf } from './placeholders.ts';
import { readTag } from './tag.ts';

/** A mistake in a folder of catalogues, as clauses: `has …`, and what is expected in its place. */
export interface CatalogueMistake {
  problem: string;
  expected: string;
}

export interface AddedCatalogues {
  /** By language tag. They can lack messages. */
  catalogues: ReadonlyMap<string, Catalogue>;
  mistakes: readonly CatalogueMistake[];
}

/** Reads the catalogues of further languages, `<folder>/<language>/<file>.json`, and compares them with English. */
export function readAdded(folder: string): AddedCatalogues {
  const english = readCatalogue('en');
  const areas = new Set(Object.keys(english).map(areaOf));
  const catalogues = new Map<string, Catalogue>();
  const mistakes: CatalogueMistake[] = [];

  for (const name of foldersIn(folder)) {
    const tag = readTag(name);
    if (tag === null) {
      mistakes.push({
        problem: `has the folder ${name}`,
        expected: 'a language tag such as de or pt-BR as its name',
      });
    } else if (catalogues.has(tag)) {
      mistakes.push({ problem: `has two folders for ${tag}`, expected: 'one folder for each language' });
    } else {
      catalogues.set(tag, readLanguage(name));
    }
  }
  return { catalogues, mistakes };

  function readLanguage(name: string): Catalogue {
    const files = readdirSync(join(folder, name))
      .filter((file) => file.endsWith('.json'))
      .sort();
    return Object.fromEntries(files.flatMap((file) => readMessages(join(name, file), file.slice(0, -5))));
  }

  function readMessages(path: string, area: string): [key: string, message: string][] {
    if (!areas.has(area)) {
      mistakes.push({
        problem: `has the file ${path}`,
        expected: `one of ${[...areas].join('.json, ')}.json`,
      });
      return [];
    }
    const messages = parseMessages(readFileSync(join(folder, path), 'utf8'));
    if (typeof messages === 'string') {
      mistakes.push({
        problem: `has a mistake in ${path}: ${messages}`,
        expected: 'a JSON object of messages by key',
      });
      return [];
    }
    return Object.entries(messages).flatMap(([name, message]) => {
      const key = `${area}.${name}`;
      const mistake = english[key] === undefined ? unknownKey(area, name) : faultOf(message, english[key]);
      if (mistake === null) return [[key, message as string]];
      mistakes.push({ ...mistake, problem: `has a mistake in ${path}: "${name}" ${mistake.problem}` });
      return [];
    });
  }

  function unknownKey(area: string, name: string): CatalogueMistake {
    const names = Object.keys(english).filter((key) => areaOf(key) === area);
    const near = nearest(
      name,
      names.map((key) => key.slice(area.length + 1)),
    );
    const advice = near === null ? '' : `; did you mean "${near}"?`;
    return { problem: 'is no key', expected: `a key of the English ${area}.json${advice}` };
  }
}

/** The names of its folders, which can be links. Those with a dot in front are not for readers. */
function foldersIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && statSync(join(folder, name)).isDirectory())
    .sort();
}

/** The messages of a file; a text says why it has none. */
function parseMessages(text: string): Record<string, unknown> | string {
  try {
    const messages: unknown = JSON.parse(text);
    const isObject = typeof messages === 'object' && messages !== null && !Array.isArray(messages);
    return isObject ? (messages as Record<string, unknown>) : 'no object';
  } catch (error) {
    return (error as Error).message;
  }
}

function faultOf(message: unknown, english: string): CatalogueMistake | null {
  if (typeof message !== 'string' || message.trim() === '')
    return {
      problem: 'has no text',
      expected: 'a text, or no such key, which shows the text of another language',
    };
  const like = `like the English “${english}”`;
  try {
    const wrong = misfit(placeholdersOf(message), placeholdersOf(english));
    return wrong === null ? null : { problem: wrong, expected: `a message ${like}` };
  } catch (error) {
    return { problem: `is no ICU message (${(error as Error).message})`, expected: `a message ${like}` };
  }
}

/** How the placeholders of a message differ from the English ones. */
function misfit(
  placeholders: ReadonlyMap<string, Placeholder>,
  english: ReadonlyMap<string, Placeholder>,
): string | null {
  for (const [name, { kind }] of english)
    if (!placeholders.has(name)) return `lacks ${kind === 'tag' ? `<${name}>` : `{${name}}`}`;
  for (const [name, { kind, options }] of placeholders) {
    const original = english.get(name);
    if (original === undefined)
      return `has ${kind === 'tag' ? `<${name}>` : `{${name}}`}, which has no value`;
    const isNumberAsText = kind === 'value' && original.kind === 'number';
    if (kind !== original.kind && !isNumberAsText)
      return `uses {${name}} as a ${kind} instead of a ${original.kind}`;
    const unknown = options.find((option) => !original.options.includes(option));
    if (unknown !== undefined) return `has the option “${unknown}” of {${name}}, which is never chosen`;
  }
  return null;
}
