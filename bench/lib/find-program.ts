import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The project's own copy of a program if it has one, else its name, for the PATH. */
export function findProgram(name: string): string {
  const own = join(import.meta.dirname, '..', '..', '.cache', 'bin', name);
  return existsSync(own) ? own : name;
}
