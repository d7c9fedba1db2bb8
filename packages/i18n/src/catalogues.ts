import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, createLanguage } from './language.ts';

const folder = join(import.meta.dirname, '..', 'catalogues');

/** The catalogue of a language: the messages of each file under its name, as `groups.title` of groups.json. */
export function readCatalogue(tag: string): Catalogue {
  const files = readdirSync(join(folder, tag)).filter((file) => file.endsWith('.json'));
  return Object.assign({}, ...files.map((file) => readFile(join(folder, tag, file), file.slice(0, -5))));
}

/** The file of a key, without its ending. */
export const areaOf = (key: string) => key.slice(0, key.indexOf('.'));

function readFile(path: string, area: string): Catalogue {
  const messages = JSON.parse(readFileSync(path, 'utf8')) as Catalogue;
  return Object.fromEntries(Object.entries(messages).map(([name, message]) => [`${area}.${name}`, message]));
}

/** Complete: every other language falls back to it. */
export const english = createLanguage('en-GB', readCatalogue('en'));
