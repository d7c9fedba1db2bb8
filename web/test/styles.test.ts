import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../src/assets/style/', import.meta.url);

const physical = [
  /(?:^|[{;])\s*(?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:left|right)(?:-[a-z]+)?:/,
  /(?:^|[{;])\s*border-(?:top|bottom)-(?:left|right)-radius:/,
  /\b(?:text-align|float|clear|caption-side|justify-content|justify-items|justify-self):\s*(?:left|right)\b/,
];
const fourSides = /\b(?:margin|padding|inset|border-width|border-color|border-style):\s*([^;{}]+)/;
const corners = /\bborder-radius:\s*([^;{}]+)/;

/** The values of a shorthand, each with its parentheses. */
const valuesOf = (text: string) => text.trim().match(/(?:[^\s(]|\([^)]*\))+/g) ?? [];

/** Whether a declaration treats the left unlike the right, so that it doesn't turn with the direction of the text. */
function isOneSided(line: string): boolean {
  if (physical.some((each) => each.test(line))) return true;
  const [, right, , left = right] = valuesOf(fourSides.exec(line)?.[1] ?? '');
  if (left !== right) return true;
  const [topLeft, topRight = topLeft, bottomRight = topLeft, bottomLeft = topRight] = valuesOf(
    corners.exec(line)?.[1] ?? '',
  );
  return topLeft !== topRight || bottomRight !== bottomLeft;
}

/** Rotated to a chevron: the sides are those before the rotation. */
const chevron = 'border-width: 0 2px 2px 0;';

test.each(readdirSync(folder))('%s has no side that is always left or right', (name) => {
  const lines = readFileSync(new URL(name, folder), 'utf8').split('\n');
  expect(lines.filter((line) => isOneSided(line) && line.trim() !== chevron)).toEqual([]);
});

test.each([
  ['  margin-left: 1rem;', true],
  ['  right: 0;', true],
  ['  border-left-width: 2px;', true],
  ['  text-align: right;', true],
  ['  float: left;', true],
  ['  padding: 1rem 1.25rem 1rem 0.5rem;', true],
  ['  border-radius: 0 4px 4px 0;', true],
  ['  border-top-left-radius: 4px;', true],
  ['  padding: 0 calc(1rem + 2px) 1rem;', false],
  ['  border-radius: 0 0 4px 4px;', false],
  ['  margin-inline-start: 1rem;', false],
  ['  inset-inline-end: 0;', false],
])('%s: %s', (line, expected) => {
  expect(isOneSided(line)).toBe(expected);
});
