import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { boundsFor } from './heap-bounds.mjs';

test('each service has heap limits that Node accepts, which the operator’s options override', () => {
  const { NODE_OPTIONS } = boundsFor(['--no-warnings', 'services/messages/src/main.ts'], {
    NODE_OPTIONS: '--max-old-space-size=300',
  });
  const script = "console.log(Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20))";
  const { stdout } = spawnSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    env: { NODE_OPTIONS },
  });
  expect(Number(stdout)).toBeGreaterThanOrEqual(300);
  expect(Number(stdout)).toBeLessThan(340);
  const gateway = [join('/app', 'services', 'gateway', 'src', 'main.ts')];
  expect(boundsFor(gateway, {})).toMatchObject({
    MALLOC_ARENA_MAX: '1',
    NODE_OPTIONS: expect.stringContaining('=512'),
  });
  expect(boundsFor(gateway, { MALLOC_ARENA_MAX: '4' })).toMatchObject({ MALLOC_ARENA_MAX: '4' });
  expect(boundsFor(['bench/main.ts'], { NODE_OPTIONS: '--inspect' })).toEqual({});
});
