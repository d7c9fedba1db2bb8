import { describe, expect, test } from '@jest/globals';
import { createReleases } from './releases.ts';

describe('releases', () => {
  test('run in reverse order, each once', async () => {
    const done: string[] = [];
    const releases = createReleases(() => {});
    for (const name of ['database', 'bus', 'server']) releases.push(name, () => done.push(name));
    await releases.releaseAll();
    await releases.releaseAll();
    expect(done).toEqual(['server', 'bus', 'database']);
  });

  test('continue after a failure, report each failure, and throw the first', async () => {
    const done: string[] = [];
    const failed: string[] = [];
    const releases = createReleases((name) => failed.push(name));
    releases.push('database', () => done.push('database'));
    releases.push('bus', () => Promise.reject(new Error('bus is stuck')));
    releases.push('server', () => {
      throw new Error('server is stuck');
    });
    await expect(releases.releaseAll()).rejects.toThrow('server is stuck');
    expect(failed).toEqual(['server', 'bus']);
    expect(done).toEqual(['database']);
  });
});
