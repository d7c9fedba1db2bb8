import { type HomeConfig, isOwnSetting, type Rule } from '@hearth/config';
import { type ServiceName, serviceNames } from './service-names.ts';

/** Settings that are required if these services are not the whole home. */
export function rulesFor(running: readonly ServiceName[]): Rule<HomeConfig>[] {
  const missing = serviceNames.filter((name) => name !== 'gateway' && !running.includes(name));
  if (isWhole(running)) return [];
  const why = `the services of this home run separately (here: ${running.join(', ')})`;
  const need = (
    key: 'databaseUrl' | 'natsUrl' | 'peerSecret' | 'sealKey' | 'operatorKey',
    variable: string,
    expected: string,
  ) => ({
    uses: [key],
    check: (config: Pick<HomeConfig, typeof key>) =>
      config[key] === undefined ? { variable, problem: `is not set, but ${why}`, expected } : undefined,
  });
  return [
    need('databaseUrl', 'DATABASE_URL', 'the URL of the Postgres that all services share'),
    need('natsUrl', 'NATS_URL', 'the URL of the NATS server that all services share'),
    need('peerSecret', 'HEARTH_PEER_SECRET', 'the same secret for all services of the home'),
    need('sealKey', 'HEARTH_SEAL_KEY', 'the same 32 bytes (base64url) for all services of the home'),
    ...(running.some((name) => isOwnSetting(name, 'operatorKey'))
      ? [need('operatorKey', 'HEARTH_OPERATOR_KEY', 'the same operator key for every gateway of the home')]
      : []),
    ...missing.map((name) => ({
      uses: ['peers' as const],
      check: (config: Pick<HomeConfig, 'peers'>) =>
        config.peers[name as keyof HomeConfig['peers']] === undefined
          ? {
              variable: `PEER_${name.toUpperCase()}`,
              problem: `is not set, but ${why}`,
              expected: 'the address of that service, as host:port',
            }
          : undefined,
    })),
  ] as Rule<HomeConfig>[];
}

export function isWhole(running: readonly ServiceName[]): boolean {
  return serviceNames.every((name) => running.includes(name));
}
