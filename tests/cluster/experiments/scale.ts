import { allDelivered } from '../../faults/support/delivered.ts';
import { deploymentOf, homeA, later, must, mustKeepAll, sleep, underTraffic, urlOf } from '../support.ts';
import { startWakes } from '../wakes.ts';
import { status } from './steps.ts';

/**
 * Scales the services that carry messages and wake-ups up and down, one by one and all at once, while AIs are also
 * woken by webhook: each wake-up arrives, under one id.
 */
export async function scale(): Promise<void> {
  const each = ['gateway', 'messages', 'delivery'];
  const turns: [services: string[], pods: number][] = [
    ...[3, 1].flatMap((pods) => each.map((service): [string[], number] => [[service], pods])),
    ...[3, 1, 2].map((pods): [string[], number] => [each, pods]),
  ];
  const wakes = await startWakes('scale', urlOf(homeA));
  try {
    const found = await underTraffic('scale', async (step) => {
      for (const [scaled, pods] of turns)
        await step(`${scaled.join(', ')}: ${pods}`, () =>
          Promise.all(scaled.map((service) => scaleTo(service, pods))),
        );
    });
    const woken = await wakes.end();
    mustKeepAll(found);
    must('no request fails while services are scaled', found.errors === 0, found);
    must('each wake-up comes, under one id', JSON.stringify(woken) === JSON.stringify(allDelivered), woken);
  } finally {
    await wakes.stop();
  }
}

/** Waits until exactly that many pods serve, and surplus pods have ended. */
async function scaleTo(service: string, count: number): Promise<void> {
  await later('kubectl', ['-n', homeA.release, 'scale', deploymentOf(homeA, service), `--replicas=${count}`]);
  await status(service);
  await sleep(10_000);
}
