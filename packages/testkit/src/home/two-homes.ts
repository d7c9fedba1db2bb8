import { freePort } from '../free-port.ts';
import { type StartedHome, startHomeInProcesses, type Topology } from './start.ts';

/** Starts two homes that know each other by name. They share only the servers of the test run. */
export async function startTwoHomes(
  topology: Topology,
  env: Record<string, string> = {},
): Promise<[StartedHome, StartedHome]> {
  const ports = [await freePort(), await freePort()];
  const names = ports.map((port) => `localhost:${port}`);
  const [one, other] = await Promise.all(
    ports.map((port, index) =>
      startHomeInProcesses({ topology, replicas: 1, env, among: { port, others: [names[1 - index]!] } }),
    ),
  );
  return [one!, other!];
}
