import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { schemas } from './own-database.ts';

test('a backup has the schema of every service with migrations, and that of the runtime', () => {
  const root = join(import.meta.dirname, '..', '..', '..', '..');
  const owned = globSync('services/*/migrations', { cwd: root }).map((path) => basename(dirname(path)));
  expect([...schemas].sort()).toEqual(['home', ...owned].sort());
});
