import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

test('a verifier without one of its rules fails a vector: a sample of `npm run mutants`', () => {
  const program = fileURLToPath(new URL('mutants.ts', import.meta.url));
  const said = execFileSync(process.execPath, ['--no-warnings', program, '--sample', '16'], {
    encoding: 'utf8',
  });
  expect(said).toContain('16 of 16 mutants fail a vector');
});
