import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface Entry {
  link?: true;
  integrity?: string;
  optional?: true;
  dev?: true;
}

const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
);
/** Builds of lint and test tools for other machines: npm records their hash only on the machine that installed them. */
const otherMachines = /^node_modules\/(@biomejs\/cli|@bufbuild\/buf|@unrs\/resolver-binding)-/;

test('every package in the lock file has a hash, except tools for other platforms', () => {
  const packages = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(packages.length).toBeGreaterThan(500);
  const without = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  const wrong = without.filter(([path, { dev, optional }]) => !(dev && optional && otherMachines.test(path)));
  expect(wrong.map(([path]) => path)).toEqual([]);
});
