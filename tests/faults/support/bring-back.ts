import { connect } from 'node:net';
import { eventually } from '@hearth/testkit/eventually';
import type { ServiceProcess } from '@hearth/testkit/home';

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}

/** Restarts processes and resolves once each listens: before that, a SIGTERM would be ignored. */
export async function bringBack(...processes: ServiceProcess[]): Promise<void> {
  for (const process of processes) process.start();
  for (const process of processes) {
    const listens = async () => process.running() && (await accepts(process.port));
    await eventually(listens, Boolean, { withinMs: 90_000 }).catch(() => {
      throw new Error(`${process.service} does not come back: ${process.output()}`);
    });
  }
}
