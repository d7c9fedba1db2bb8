import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { shellBlocks } from '../../scripts/docs/commands.ts';
import { newApp } from '../support/apps.ts';
import { urls } from '../support/home.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A failed request or command ends the script, as a reader would stop there. */
const strict = 'set -eo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';

function run(script: string): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', strict + script], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

describe('the commands work as written', () => {
  test.each([
    ['README.md', '/r/rec_'],
    ['docs/apps.md', '"status":"joined"'],
    ['docs/ais.md', '"status":"cancelled"'],
  ])('of %s', async (path, words) => {
    const { key } = await newApp();
    const script = shellBlocks(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
      .join('\n')
      .replaceAll('http://localhost:8080', urls()[0] as string)
      .replaceAll('hearth_app_...', key);
    expect(script).toContain(urls()[0] as string);
    expect(await run(script)).toEqual({ failed: false, output: expect.stringContaining(words) });
  });

  test('failing commands are detected', async () => {
    expect(await run(`curl -s ${urls()[0]}/v0/me; echo on`)).toEqual({
      failed: true,
      output: expect.stringContaining('sign in first'),
    });
  });
});
