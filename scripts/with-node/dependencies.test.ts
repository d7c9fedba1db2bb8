import { describe, expect, test } from '@jest/globals';
import { isInstalled } from './dependencies.mjs';

const lock = (packages: object) => ({ packages: { '': { name: 'hearth' }, ...packages } });

describe('dependencies count as installed', () => {
  const pg = { 'node_modules/pg': { version: '8.23.1' } };

  test('when npm installed what the lock file asks for', () => {
    expect(isInstalled(lock(pg), lock(pg))).toBe(true);
  });

  test('but not when none are there', () => {
    expect(isInstalled(lock(pg), { packages: {} })).toBe(false);
  });

  test('but not in another version', () => {
    expect(isInstalled(lock(pg), lock({ 'node_modules/pg': { version: '8.22.0' } }))).toBe(false);
  });

  test('but not when a nested one is missing', () => {
    const nested = { ...pg, 'services/gateway/node_modules/express': { version: '5.3.0' } };
    expect(isInstalled(lock(nested), lock(pg))).toBe(false);
  });

  test('without those for other platforms', () => {
    const other = { ...pg, 'node_modules/@biomejs/cli-darwin-x64': { version: '2.6.8', optional: true } };
    expect(isInstalled(lock(other), lock(pg))).toBe(true);
  });

  test('but not when a workspace is not linked', () => {
    const workspace = {
      'packages/clock': { version: '0.1.0' },
      'node_modules/@hearth/clock': { resolved: 'packages/clock', link: true },
    };
    expect(isInstalled(lock(workspace), lock(workspace))).toBe(true);
    expect(isInstalled(lock(workspace), lock({}))).toBe(false);
  });

  test('in production without the development dependencies', () => {
    const development = { ...pg, 'node_modules/jest': { version: '30.5.2', dev: true } };
    expect(isInstalled(lock(development), lock(pg), { production: true })).toBe(true);
    expect(isInstalled(lock(development), lock(pg))).toBe(false);
  });
});
