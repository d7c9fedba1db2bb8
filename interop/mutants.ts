import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type FederationVectors, failedFederation, type Reader } from './src/federation-judge.ts';
import { federationMutants } from './src/federation-mutants.ts';
import type { VectorFile } from './src/format.ts';
import { failedVectors, type Vectors, type Verifier } from './src/judge.ts';
import { type Mutant, type Part, mutants as signingMutants } from './src/mutants.ts';

// Breaks our verifier, one rule at a time, and checks that each mutant fails at least one vector: npm run mutants

const root = new URL('../', import.meta.url);
const mutants = [...signingMutants, ...federationMutants];

/** The folder of each part, and the files of its verifier. */
const parts: Record<Part, { source: string; files: readonly string[] }> = {
  signing: { source: 'packages/signing/src/', files: ['index.ts'] },
  requests: { source: 'packages/http-signatures/src/', files: ['index.ts'] },
  states: { source: 'packages/home-acts/src/', files: ['read-object.ts'] },
  log: {
    source: 'services/federation/src/',
    files: ['answer', 'held-items', 'item', 'push', 'weigh-item'].map((name) => `log/actions/${name}.ts`),
  },
};

const readFile = (path: string) =>
  JSON.parse(readFileSync(new URL(`interop/vectors/${path}.json`, root), 'utf8'));

function readVectors(): Vectors {
  const read = <Case>(name: string) => readFile(`records/${name}`) as VectorFile<Case>;
  const signed = ['cards', 'records', 'envelopes', 'home-documents'];
  return {
    signed: Object.fromEntries(signed.map((name) => [`${name}.json`, read(name)])),
    sequences: read('home-sequences'),
    texts: read('json'),
    keys: read('keys'),
  };
}

function readFederation(): FederationVectors {
  const names = ['requests', 'items', 'states', 'log', 'conversations'] as const;
  return Object.fromEntries(names.map((name) => [name, readFile(`federation/${name}`)])) as never;
}

/** Copies a part to `folder`, with the mutant's edits. */
async function broken(
  folder: string,
  { part = 'signing', file, edits }: Pick<Mutant, 'part' | 'file' | 'edits'>,
) {
  const { source, files } = parts[part];
  cpSync(new URL(source, root), folder, {
    recursive: true,
    filter: (path) => !/\.test\.ts$|test-/.test(path),
  });
  const path = `${folder}/${file}`;
  const text = edits.reduce(
    (before, [from, to]) => {
      if (before.split(from).length !== 2)
        throw new Error(`${file} has not exactly one ${JSON.stringify(from)}`);
      return before.replace(from, () => to);
    },
    readFileSync(path, 'utf8'),
  );
  writeFileSync(path, text);
  const modules = await Promise.all(files.map((name) => import(pathToFileURL(`${folder}/${name}`).href)));
  return Object.assign({}, ...modules) as object;
}

/** Returns the first vector that a verifier fails, or null. A verifier that throws fails too. */
function firstFailure(part: Part, verifier: object): string | null {
  try {
    const failed =
      part === 'signing'
        ? failedVectors(verifier as Verifier, vectors)
        : failedFederation({ ...reader, ...verifier }, federation);
    return failed.next().value ?? null;
  } catch (error) {
    return `it throws: ${(error as Error).message}`;
  }
}

const { values } = parseArgs({ options: { sample: { type: 'string' } } });
const count = Math.min(Number(values.sample ?? mutants.length), mutants.length);
const chosen = mutants.filter(
  (_, index) =>
    Math.floor((index * count) / mutants.length) !== Math.floor(((index - 1) * count) / mutants.length),
);
mkdirSync(new URL('.cache/', root), { recursive: true });
const folder = mkdtempSync(fileURLToPath(new URL('.cache/mutants-', root)));
const vectors = readVectors();
const federation = readFederation();
let reader = {} as Reader;
try {
  const names = Object.keys(parts) as Part[];
  const whole = await Promise.all(
    names.map((part) => broken(`${folder}/whole-${part}`, { part, file: parts[part].files[0]!, edits: [] })),
  );
  reader = Object.assign({}, ...whole) as Reader;
  for (const [index, part] of names.entries()) {
    const wrong = firstFailure(part, whole[index]!);
    if (wrong !== null) throw new Error(`the verifier as it stands fails ${wrong}`);
  }
  let survivors = 0;
  for (const [index, mutant] of chosen.entries()) {
    const failure = firstFailure(mutant.part ?? 'signing', await broken(`${folder}/${index}`, mutant));
    if (failure === null) survivors += 1;
    console.log(
      `${failure === null ? 'SURVIVES' : 'caught  '}  ${mutant.rule}${failure === null ? '' : `  <- ${failure}`}`,
    );
  }
  console.log(`${chosen.length - survivors} of ${chosen.length} mutants fail a vector`);
  if (survivors > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
