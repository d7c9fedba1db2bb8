import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { VectorFile } from './src/format.ts';
import { failedVectors, type Vectors, type Verifier } from './src/judge.ts';
import { type Mutant, mutants } from './src/mutants.ts';

// Breaks our verifier, one rule at a time, and shows that each broken one fails at least one vector: npm run mutants

const root = new URL('../', import.meta.url);
const source = new URL('packages/signing/src/', root);

function readVectors(): Vectors {
  const read = <Case>(name: string) =>
    JSON.parse(
      readFileSync(new URL(`interop/vectors/records/${name}.json`, root), 'utf8'),
    ) as VectorFile<Case>;
  const signed = ['cards', 'records', 'envelopes', 'home-documents'];
  return {
    signed: Object.fromEntries(signed.map((name) => [`${name}.json`, read(name)])),
    sequences: read('home-sequences'),
    texts: read('json'),
    keys: read('keys'),
  };
}

/** A copy of the verifier in `folder`, with the edits of that mutant. */
async function broken(folder: string, { file, edits }: Pick<Mutant, 'file' | 'edits'>): Promise<Verifier> {
  cpSync(source, folder, { recursive: true, filter: (path) => !/\.test\.ts$|test-/.test(path) });
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
  return (await import(pathToFileURL(`${folder}/index.ts`).href)) as Verifier;
}

/** The first vector that a verifier fails, or null. One that throws fails too. */
function firstFailure(verifier: Verifier, vectors: Vectors): string | null {
  try {
    return failedVectors(verifier, vectors).next().value ?? null;
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
try {
  const whole = await broken(`${folder}/whole`, { file: 'index.ts', edits: [] });
  const wrong = firstFailure(whole, vectors);
  if (wrong !== null) throw new Error(`the verifier as it stands fails ${wrong}`);
  let survivors = 0;
  for (const [index, mutant] of chosen.entries()) {
    const failure = firstFailure(await broken(`${folder}/${index}`, mutant), vectors);
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
