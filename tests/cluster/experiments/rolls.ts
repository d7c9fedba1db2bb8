import { must, mustKeepAll, services, underTraffic } from '../support.ts';
import { restart } from './steps.ts';

/** Replaces every service pod by pod, without a failed request. */
export async function rolls(): Promise<void> {
  const found = await underTraffic('rolls', async (step) => {
    for (const service of services) await step(`restart ${service}`, () => restart(service));
  });
  mustKeepAll(found);
  must('no request fails while services are replaced', found.errors === 0, found);
}
