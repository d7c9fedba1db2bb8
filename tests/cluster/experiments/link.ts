import { worldAddress } from '../../../scripts/cluster/system.ts';
import { run } from '../../../scripts/tools/run.mjs';
import { ask, type Exchange, exchange, homeA, homeB, kept, must, signUp, sleep, urlOf } from '../support.ts';
import { minutes, type Resource } from './steps.ts';

/**
 * Cuts the link between two homes for five minutes: each keeps working, and everything arrives once and in order
 * afterwards.
 */
export async function link(): Promise<void> {
  const [a, b] = [urlOf(homeA), urlOf(homeB)];
  const [robin, kim] = [await signUp(a, 'Robin'), await signUp(b, 'Kim')];
  const kimAbroad = `${kim.address.slice(1)}@${homeB.name}`;
  const texts: string[] = [];
  const write = async () => {
    const text = `Number ${texts.length}`;
    texts.push(text);
    await ask(a, '/v0/messages', robin.key, {
      to: kimAbroad,
      text,
      request_id: `link-${process.pid}-${texts.length}`,
    });
  };
  const seen: string[] = [];
  let last: string | undefined;
  const read = async (wait: number) => {
    const after = last === undefined ? '' : `&since=${last}`;
    const { messages } = await ask(b, `/v0/messages?unread=true&wait=${wait}&limit=100${after}`, kim.key);
    seen.push(...messages.map(({ text }: Resource) => text));
    last = messages.at(-1)?.id ?? last;
  };
  await write();
  for (let tries = 0; seen.length < 1 && tries < 4; tries += 1) await read(10);
  must('a message goes over before', seen.length === 1, seen);
  const cut = ['INPUT', '-d', worldAddress, '-p', 'tcp', '--dport', '443', '-j', 'DROP'];
  let inside: Exchange[] = [];
  run('iptables', ['-I', ...cut]);
  try {
    const own = exchange(a, await signUp(a, 'Ada'), await signUp(a, 'Bo'));
    const until = performance.now() + minutes(5);
    while (performance.now() < until) {
      await write();
      await sleep(5_000);
    }
    inside = await own.end();
    await read(1);
    must('nothing goes over meanwhile', seen.length === 1, seen);
  } finally {
    run('iptables', ['-D', ...cut]);
  }
  const began = performance.now();
  while (seen.length < texts.length && performance.now() - began < minutes(6)) await read(20);
  const back = Math.round((performance.now() - began) / 1000);
  // A duplicate would arrive later.
  await read(5);
  const repeats = inside.reduce((sum, one) => sum + one.repeats, 0);
  kept('link', {
    written: texts.length,
    arrived: seen.length,
    seconds_until_all_arrived: back,
    inside: inside.length,
    repeats,
  });
  console.log(`  ${texts.length} messages, all there ${back} s after the link was`);
  must('all arrive once and in order', JSON.stringify(seen) === JSON.stringify(texts), { seen, texts });
  must('the home itself goes on without an error', repeats === 0 && inside.length > 100, inside);
}
