import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findPgProgram } from './pg-program.ts';

let folder: string;
const at = (name: string) => join(folder, name, 'pg_dump');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-pg-'));
  for (const [name, version] of [
    ['old', '15.18 (Debian 15.18-0+deb12u1)'],
    ['new', '97.1'],
    ['newer', '98beta2'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(at(name), `#!/bin/sh\necho 'pg_dump (PostgreSQL) ${version}'\n`, { mode: 0o755 });
  }
  mkdirSync(join(folder, 'broken'));
  writeFileSync(at('broken'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (...names: string[]) => names.map((name) => join(folder, name)).join(delimiter);

test('the first program on the PATH that is new enough is used', () => {
  const path = pathOf('none', 'broken', 'old', 'new', 'newer');
  expect(findPgProgram('pg_dump', 97, path)).toEqual({ path: at('new'), major: 97 });
  expect(findPgProgram('pg_dump', 98, path)).toEqual({ path: at('newer'), major: 98 });
  expect(findPgProgram('pg_dump', 15, path)).toEqual({ path: at('old'), major: 15 });
});

test('a program that is too old is reported, with the source of a newer one', () => {
  expect(() => findPgProgram('pg_dump', 99, pathOf('old'))).toThrow(
    `pg_dump of Postgres 99 or newer is not on the PATH; ${at('old')} is of Postgres 15. Run npm run tools -- pg_dump`,
  );
});
