import type { HomeConfig } from './home-config.ts';
import { isLocalhostName, isPublicHomeName } from './home-name.ts';
import type { Rule } from './read-config.ts';

const relaxedLimitsAreLocal: Rule<HomeConfig> = {
  uses: ['limits', 'home'],
  check: ({ limits, home }) =>
    limits === 'relaxed' && !isLocalhostName(home)
      ? {
          variable: 'HEARTH_LIMITS',
          problem: `is relaxed for the home ${home}`,
          expected: 'relaxed limits only for a home whose name is localhost',
        }
      : undefined,
};

/** A name that other homes would refuse must be listed as one of development, or be localhost. */
const ownNameIsAcceptable: Rule<HomeConfig> = {
  uses: ['home', 'devHomes'],
  check: ({ home, devHomes }) =>
    home.includes(':') && !isLocalhostName(home) && !devHomes.includes(home)
      ? {
          variable: 'HEARTH_HOME',
          problem: `is "${home}", with a port`,
          expected: 'a DNS name without port, or for development the same name in HEARTH_DEV_HOMES',
        }
      : undefined,
};

/** Switches that weaken the door refuse to start at a home that the world can reach by its name. */
function onlyInDevelopment(key: 'devHomes' | 'devCallbacks', variable: string): Rule<HomeConfig> {
  return {
    uses: ['home', 'devHomes', key],
    check: (config) =>
      config[key].length > 0 && isPublicHomeName(config.home) && !config.devHomes.includes(config.home)
        ? {
            variable,
            problem: `is given for the home ${config.home}`,
            expected: 'it only in development: at localhost, or at a home that HEARTH_DEV_HOMES lists itself',
          }
        : undefined,
  };
}

/** The rules of every home, in whichever topology it runs. */
export const homeRules: readonly Rule<HomeConfig>[] = [
  relaxedLimitsAreLocal,
  ownNameIsAcceptable,
  onlyInDevelopment('devHomes', 'HEARTH_DEV_HOMES'),
  onlyInDevelopment('devCallbacks', 'HEARTH_DEV_CALLBACKS'),
];
