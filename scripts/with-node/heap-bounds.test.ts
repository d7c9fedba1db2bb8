import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { nodeOptionsFor } from './heap-bounds.mjs';

test('each service has bounds that Node knows, and the options of the operator count before them', () => {
  const options = nodeOptionsFor(
    ['--no-warnings', 'services/messages/src/main.ts'],
    '--max-old-space-size=300',
  );
  const script = "console.log(Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20))";
  const { stdout } = spawnSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    env: { NODE_OPTIONS: options },
  });
  expect(Number(stdout)).toBeGreaterThanOrEqual(300);
  expect(Number(stdout)).toBeLessThan(340);
  expect(nodeOptionsFor([join('/app', 'services', 'gateway', 'src', 'main.ts')])).toContain('=512');
  expect(nodeOptionsFor(['bench/main.ts'], '--inspect')).toBe('--inspect');
});
