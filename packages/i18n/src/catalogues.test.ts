import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { expect, test } from '@jest/globals';
import { readCatalogue } from './catalogues.ts';
import { readAdded } from './read-added.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const catalogue = readCatalogue('en');

const ownFolder = join('packages', 'i18n', 'catalogues');

/** Every folder of catalogues in the repository, including tests'. */
function catalogueFolders(): string[] {
  return ['packages', 'services', 'tests', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'catalogues' && !path.includes('node_modules'))
      .map((path) => join(folder, path)),
  );
}

/** Every source file of the product, without tests. */
function sources(): string[] {
  return ['packages', 'services', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|\/)src\/.*\.ts$/.test(path) && !path.includes('node_modules'))
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
}

/** The keys that a text names: whole, as a choice of two, or with parts that come from data. */
function keysIn(text: string): RegExp[] {
  const calls = text.matchAll(/\bt\(\s*(?:\w+ \? )?(?:'([\w.-]+)'(?: : '([\w.-]+)')?|`([^`]+)`)/g);
  return [...calls].flatMap(([, whole, other, template = '']) => {
    const keys = [whole, other].filter((key) => key !== undefined).map((key) => [key]);
    return (keys.length > 0 ? keys : [template.split(/\$\{[^}]*\}/)]).map(
      (parts) => new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('[\\w-]+')}$`),
    );
  });
}

test('every message is used', () => {
  const named = sources().flatMap(keysIn);
  const unused = Object.keys(catalogue).filter((key) => !named.some((pattern) => pattern.test(key)));
  expect(unused).toEqual([]);
});

test('every catalogue has keys and placeholders of the English one', () => {
  const folders = catalogueFolders();
  expect(folders).toContain(ownFolder);
  const mistakes = folders.flatMap((folder) =>
    readAdded(join(root, folder)).mistakes.map((mistake) => ({ folder, ...mistake })),
  );
  expect(mistakes).toEqual([]);
});

test('every language shipped with the home is complete', () => {
  const { catalogues } = readAdded(join(root, ownFolder));
  expect([...catalogues.keys()]).toContain('en');
  for (const [tag, messages] of catalogues)
    expect({ tag, missing: Object.keys(catalogue).filter((key) => !Object.hasOwn(messages, key)) }).toEqual({
      tag,
      missing: [],
    });
});

test('every message is valid ICU with typographic quotes', () => {
  const wrong = Object.entries(catalogue).filter(([, message]) => {
    parse(message);
    return /['"]/.test(message) || message.trim() !== message || message === '';
  });
  expect(wrong).toEqual([]);
});
