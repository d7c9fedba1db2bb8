import { randomBytes } from 'node:crypto';
import { run } from '../../../scripts/tools/run.mjs';
import {
  deploymentOf,
  get,
  homeA,
  kubectl,
  must,
  mustKeepAll,
  services,
  sleep,
  underTraffic,
} from '../support.ts';
import { federation } from './federation.ts';
import { minutes, type Resource, restart } from './steps.ts';

/** Rotates the signing key and changes the seal key under traffic, following docs/kubernetes.md. */
export async function keys(): Promise<void> {
  const name = `${homeA.release}-hearth-secrets`;
  const hearth = (...args: string[]) => {
    const program = ['hearth', ...args, '--json', '--site', 'http://127.0.0.1:8080'];
    return JSON.parse(kubectl(homeA, 'exec', deploymentOf(homeA, 'gateway'), '--', ...program));
  };
  const put = (stringData: Record<string, string | null>) => {
    const data = Object.fromEntries(
      Object.entries(stringData).map(([key, value]) => [
        key,
        value === null ? null : Buffer.from(value).toString('base64'),
      ]),
    );
    kubectl(homeA, 'patch', 'secret', name, '--type', 'merge', '--patch', JSON.stringify({ data }));
  };
  const restartAll = async () => {
    for (const service of services) await restart(service);
  };
  const before = Buffer.from(get(homeA, 'secret', name).data['HEARTH_SEAL_KEY'], 'base64').toString();
  const next = randomBytes(32).toString('base64url');
  const found = await underTraffic('keys', async (step) => {
    await step('the signing key gets a successor', () => {
      const states = () => hearth('key', 'list').keys.map(({ status: state }: Resource) => state);
      // A cluster that ran this before already has a next key, for two days.
      if (!states().includes('next')) hearth('key', 'rotate');
      must('there is a next key', states().includes('next'), states());
    });
    await step('every process opens what the next key seals', async () => {
      put({ HEARTH_SEAL_KEY_OTHER: next });
      await restartAll();
    });
    await step('every process seals with it', async () => {
      put({ HEARTH_SEAL_KEY: next, HEARTH_SEAL_KEY_OTHER: before });
      await restartAll();
    });
    await step('what the key before sealed is sealed anew', async () => {
      hearth('key', 'reseal');
      for (const end = performance.now() + minutes(2); ; await sleep(1_000)) {
        const { seal } = hearth('key', 'list');
        const left = seal.places.filter(({ remaining }: Resource) => remaining !== 0);
        if (seal.asked_at !== undefined && left.length === 0) break;
        must('it is sealed anew within two minutes', performance.now() < end, seal);
      }
    });
    await step('the key before goes', async () => {
      put({ HEARTH_SEAL_KEY_OTHER: null });
      await restartAll();
    });
  });
  mustKeepAll(found);
  must('no request fails while keys change', found.errors === 0, found);
  run('helm', ['test', homeA.release, '--namespace', homeA.release, '--timeout', '3m']);
  await federation();
}
