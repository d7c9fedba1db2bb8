import { describe } from './describe.ts';
import { type HomeConfig, homeDeclaration, type ServiceName } from './home-config.ts';
import type { Secret } from './secret.ts';

/**
 * Settings that only one service reads. When services run apart, no other process gets them: the code that parses
 * strangers' bytes has neither the operator's key nor the mail server's password. The chart is generated from this.
 */
export const ownSettings = {
  gateway: ['hosts', 'operatorKey', 'trustedProxies'],
  federation: ['recoveryKey'],
  delivery: ['smtpUrl'],
} as const satisfies Partial<Record<ServiceName | 'gateway', readonly (keyof HomeConfig)[]>>;

export type OwnSetting = (typeof ownSettings)[keyof typeof ownSettings][number];

/** The settings of single services as passed to them; the home creates an operator key if none was given. */
export type OwnSettings = Pick<HomeConfig, OwnSetting> & { operatorKey: Secret };

/** The settings that every service gets. */
export type SharedConfig = Omit<HomeConfig, OwnSetting>;

const all: Readonly<Record<string, readonly OwnSetting[]>> = ownSettings;

/** Whether only this service reads the setting. */
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
