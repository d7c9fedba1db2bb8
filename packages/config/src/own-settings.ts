import { describe } from './describe.ts';
import { type HomeConfig, homeDeclaration, type ServiceName } from './home-config.ts';
import type { Secret } from './secret.ts';

/**
 * The settings that one service alone reads. Where services run apart, no other process is given them: the code that parses
 * strangers' bytes holds neither the operator's key nor the mail server's password. The chart is made from this.
 */
export const ownSettings = {
  gateway: ['hosts', 'operatorKey', 'trustedProxies'],
  federation: ['recoveryKey'],
  delivery: ['smtpUrl'],
} as const satisfies Partial<Record<ServiceName | 'gateway', readonly (keyof HomeConfig)[]>>;

export type OwnSetting = (typeof ownSettings)[keyof typeof ownSettings][number];

/** Single services' settings as these are given them: the home makes an operator key where the operator gave none. */
export type OwnSettings = Pick<HomeConfig, OwnSetting> & { operatorKey: Secret };

/** The settings that every service of a home sees. */
export type SharedConfig = Omit<HomeConfig, OwnSetting>;

const all: Readonly<Record<string, readonly OwnSetting[]>> = ownSettings;

/** Whether this service alone reads the setting. */
export function isOwnSetting(service: string, setting: OwnSetting): boolean {
  return all[service]?.includes(setting) ?? false;
}

/** The variables that single services read, by service. */
export function ownVariables(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(all).map(([service, settings]) => [
      service,
      settings.flatMap((setting) =>
        describe({ [setting]: homeDeclaration[setting] }).map(({ name }) => name),
      ),
    ]),
  );
}
