import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { nodeProgram, runsTypeScript } from './runtime.mjs';

describe('which Node versions run TypeScript directly', () => {
  test.each([
    ['18.20.8', false],
    ['20.20.2', false],
    ['22.17.1', false],
    ['22.18.0', true],
    ['22.21.1', true],
    ['23.5.0', false],
    ['23.6.0', true],
    ['24.0.0', true],
    ['v24.21.0', true],
    ['26.10.0', true],
  ])('%s: %s', (version, expected) => {
    expect(runsTypeScript(version)).toBe(expected);
  });
});

describe('the Node from npm', () => {
  const pins = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'tools', 'node', 'package-lock.json'), 'utf8'),
  );

  test.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
  ])('for %s on %s is pinned, with its digest, and runs TypeScript', (platform, architecture) => {
    const program = nodeProgram(platform, architecture)!;
    const pin = pins.packages[program.split('/').slice(0, 2).join('/')];
    expect(pin).toMatchObject({
      os: platform,
      cpu: architecture,
      integrity: expect.stringMatching(/^sha512-/),
    });
    expect(program).toMatch(new RegExp(`/${pin.bin.node}$`));
    expect(runsTypeScript(pin.version)).toBe(true);
  });

  test('is not available for other platforms', () => {
    expect(nodeProgram('linux', 'riscv64')).toBeUndefined();
  });
});
