// Checks the English of documents, messages and comments: grammar and spelling with Harper, long sentences and unwanted
// phrases with readability.ts. Prints findings, and fails if there are any. Given a path ("services/groups", "docs"),
// it checks only files below it. With --counts it prints the number of findings per rule; --root selects another
// repository.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { readTree } from '../law/tree.ts';
import { CleanTexts } from './clean.ts';
import type { Mistake } from './grammar.ts';
import { kindOf, readers } from './kinds.ts';
import { type Finding, lineAt, type Passage } from './passages.ts';
import { hardWordsIn, longMedian } from './readability.ts';

const { values: options, positionals } = parseArgs({
  options: { root: { type: 'string' }, counts: { type: 'boolean' } },
  allowPositionals: true,
});
const root = options.root ?? join(import.meta.dirname, '..', '..');
const [below = ''] = positionals;

const passages: Passage[] = [];
const found: Finding[] = [];
for (const path of [...readTree(root).paths].filter((each) => each.startsWith(below)).sort()) {
  const kind = kindOf(path);
  if (kind === null) continue;
  const inFile = readers[kind](path, readFileSync(join(root, path), 'utf8'));
  passages.push(...inFile);
  found.push(...inFile.flatMap((passage) => hardWordsIn(passage, kind)));
  if (kind === 'document') found.push(...longMedian(path, inFile));
}

const clean = new CleanTexts(join(root, '.cache', 'words'));
const byText = Map.groupBy(passages, ({ text }) => text);
const changed = [...byText.keys()].filter((text) => !clean.has(text));
const mistakes = await mistakesInParallel(changed);
for (const { text, offset, words, rule, advice } of mistakes)
  for (const passage of byText.get(text)!)
    found.push({ path: passage.path, line: lineAt(passage, offset), text: words, rule, advice });
if (below === '') {
  const faulty = new Set(mistakes.map(({ text }) => text));
  clean.keep([...byText.keys()].filter((text) => !faulty.has(text)));
}

if (options.counts) {
  const rules = Map.groupBy(found, ({ rule }) => rule);
  for (const [rule, { length }] of [...rules].sort()) console.log(`${String(length).padStart(5)} ${rule}`);
} else for (const each of found.sort(byPlace)) console.log(lineOf(each));
console.log(
  found.length === 0 ? 'The words are in order.' : `${found.length} findings (CONTRIBUTING.md, Words).`,
);
if (found.length > 0) process.exitCode = 1;

function byPlace(one: Finding, other: Finding): number {
  return one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1;
}

function lineOf({ path, line, text, rule, advice }: Finding): string {
  return `${path}:${line} "${text}" [${rule}] ${advice}`;
}

/** Two threads, each with every second text: a start of Harper takes a second, so few texts need only one thread. */
async function mistakesInParallel(texts: readonly string[]): Promise<Mistake[]> {
  const threads = Math.min(2, Math.ceil(texts.length / 300));
  const shares = Array.from({ length: threads }, (_, thread) =>
    texts.filter((_text, index) => index % threads === thread),
  );
  return (await Promise.all(shares.map(mistakesInThread))).flat();
}

async function mistakesInThread(texts: readonly string[]): Promise<Mistake[]> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: texts });
  const [answer] = (await once(worker, 'message')) as [Mistake[]];
  return answer;
}
