import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { collectorFlags } from './collect-garbage.ts';

it('uses flags that V8 knows', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of collectorFlags) {
    const [name = ''] = flag.replace(/^--(no-)?/, '').split('=');
    expect(known).toMatch(new RegExp(`^\\s*--(no-)?${name}\\s`, 'm'));
  }
});

it('frees memory after the start and after work, and leaves no gc function behind', () => {
  const script = `
    import { collectWhenQuiet } from ${JSON.stringify(join(import.meta.dirname, 'collect-garbage.ts'))};
    const looks = Promise.withResolvers();
    globalThis.setInterval = (callback) => (looks.resolve(callback), { unref() {} });
    const waste = () => void Array.from({ length: 1_000_000 }, () => ({}));
    const used = () => process.memoryUsage().heapUsed;
    const freed = [];
    let before;
    waste();
    before = used();
    collectWhenQuiet();
    freed.push(before - used());
    waste();
    const again = await looks.promise;
    before = used();
    const work = (ms) => { for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + ms * 1_000; ); };
    const look = (ms) => { work(ms); again(); freed.push(before - used()); };
    // Neither a lot of work nor the same little work each time counts as quiet.
    look(1_100);
    look(0);
    waste();
    before = used();
    look(100);
    look(100);
    look(0);
    console.log(JSON.stringify({ freed, gc: typeof globalThis.gc }));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const { freed, gc } = JSON.parse(said) as { freed: number[]; gc: string };
  const megabytes = freed.map((bytes) => Math.round(bytes / 1e6));
  expect(megabytes.map((freed) => freed > 20)).toEqual([true, false, true, false, false, true]);
  expect(gc).toBe('undefined');
});
