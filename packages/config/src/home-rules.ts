import type { HomeConfig } from './home-config.ts';
import { isLocalhostName, isLocalSite, isPublicHomeName } from './home-name.ts';
import type { Rule } from './read-config.ts';

const relaxedLimitsAreLocal: Rule<HomeConfig> = {
  uses: ['limits', 'home', 'siteUrl'],
  check: ({ limits, home, siteUrl }) =>
    limits === 'relaxed' && !(isLocalhostName(home) && isLocalSite(siteUrl))
      ? {
          variable: 'HEARTH_LIMITS',
          problem: `is "relaxed", but the home is ${home} at ${siteUrl}`,
          expected:
            'specific limits, as relaxed is only for a home named localhost with a site on this machine or a private network',
        }
      : undefined,
};

/** Other homes find a home under its name, so a site under another name means that one of the two was forgotten. */
const nameFitsSite: Rule<HomeConfig> = {
  uses: ['home', 'siteUrl'],
  check({ home, siteUrl }) {
    const [name = ''] = home.split(':');
    const { hostname } = new URL(siteUrl);
    if (isLocalSite(siteUrl) || hostname === name || hostname.endsWith(`.${name}`)) return undefined;
    return {
      variable: 'HEARTH_HOME',
      problem: `is "${home}", but the site is ${siteUrl}`,
      expected: `the host of the site, ${hostname}, or a parent domain`,
    };
  },
};

/** A name that other homes would refuse must be listed for development, or be localhost. */
const ownNameIsAcceptable: Rule<HomeConfig> = {
  uses: ['home', 'devHomes'],
  check: ({ home, devHomes }) =>
    home.includes(':') && !isLocalhostName(home) && !devHomes.includes(home)
      ? {
          variable: 'HEARTH_HOME',
          problem: `is "${home}", with a port`,
          expected:
            'a DNS name without a port, or, for development, the same name in HEARTH_DEV_HOMES as well',
        }
      : undefined,
};

/** Settings that weaken security are refused at a home that the public can reach by name or site. */
function onlyInDevelopment(key: 'devHomes' | 'devCallbacks', variable: string): Rule<HomeConfig> {
  return {
    uses: ['home', 'siteUrl', 'devHomes', key],
    check: (config) =>
      config[key].length > 0 &&
      (isPublicHomeName(config.home) || !isLocalSite(config.siteUrl)) &&
      !config.devHomes.includes(config.home)
        ? {
            variable,
            problem: `is set, but the home is ${config.home} at ${config.siteUrl}`,
            expected:
              'it to be unset except in development: at localhost, or for a home listed in its own HEARTH_DEV_HOMES',
          }
        : undefined,
  };
}

/** Rules for every home, in either topology. */
export const homeRules: readonly Rule<HomeConfig>[] = [
  relaxedLimitsAreLocal,
  nameFitsSite,
  ownNameIsAcceptable,
  onlyInDevelopment('devHomes', 'HEARTH_DEV_HOMES'),
  onlyInDevelopment('devCallbacks', 'HEARTH_DEV_CALLBACKS'),
];
