import { internal } from '@hearth/errors';
import { ConfigError, type Mistake } from './config-error.ts';
import type { ConfigOf, Declaration, Environment } from './field.ts';
import { createSource, type ReadFile } from './source.ts';
import { unknownVariables } from './unknown-variables.ts';

/** A rule across several keys; checked only if all of them could be read. */
export interface Rule<Config> {
  /** The keys that `check` looks at. */
  uses: readonly (keyof Config)[];
  /** Returns the mistake, if any. */
  check(config: Config): Mistake | undefined;
}

export interface ReadOptions<Config> {
  /** Reads the file of a `<NAME>_FILE` variable; without it, such a variable is a mistake. */
  readFile?: ReadFile;
  rules?: readonly Rule<Config>[];
  /** Prefixes under which every variable must be declared, so that misspelled ones are noticed. */
  reservedPrefixes?: readonly string[];
}

/**
 * Reads the settings named by `declaration` from `env`. Pure.
 * Throws one ConfigError with every mistake.
 */
export function readConfig<const D extends Declaration>(
  env: Environment,
  declaration: D,
  options: ReadOptions<ConfigOf<D>> = {},
): ConfigOf<D> {
  const mistakes: Mistake[] = [];
  const values: Record<string, unknown> = {};
  const wrong = new Set<PropertyKey>();
  const source = createSource(env, options.readFile, (mistake) => mistakes.push(mistake));

  const earlier = earlierValues(values, wrong);

  for (const [key, field] of Object.entries(declaration)) {
    const before = mistakes.length;
    try {
      values[key] = field.read(source, earlier);
    } catch (error) {
      if (!(error instanceof RestsOnMistake)) throw error;
      wrong.add(key);
    }
    if (mistakes.length > before) wrong.add(key);
  }

  const config = Object.freeze(values) as ConfigOf<D>;
  for (const rule of options.rules ?? []) {
    if (rule.uses.some((key) => wrong.has(key))) continue;
    const mistake = rule.check(config);
    if (mistake !== undefined) mistakes.push(mistake);
  }

  mistakes.push(...unknownVariables(env, declaration, options.reservedPrefixes ?? []));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

/** A default depends on a value that is itself mistaken; the mistake was already recorded. */
class RestsOnMistake extends Error {}

/** The values available to a default: keys declared before it that could be read. */
function earlierValues(
  values: Record<string, unknown>,
  wrong: ReadonlySet<PropertyKey>,
): Readonly<Record<string, unknown>> {
  return new Proxy(values, {
    get(target, key) {
      if (wrong.has(key)) throw new RestsOnMistake();
      if (!Object.hasOwn(target, key))
        throw internal(`the default of a setting needs ${String(key)} declared before it`);
      return target[String(key)];
    },
  });
}
