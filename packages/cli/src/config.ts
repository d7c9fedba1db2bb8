import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Surroundings } from './surroundings.ts';

/** The process as the tool sees it. */
export function surroundings(): Surroundings {
  return {
    env: process.env,
    // A home that `npm start` runs has its data in the project's folder, wherever the tool is called.
    folders: [process.cwd(), fileURLToPath(new URL('../../..', import.meta.url))],
    readFile,
    fetch,
    print: (text) => process.stdout.write(`${text}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
  };
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
