import { isAbsolute, join, resolve } from 'node:path';
import type { Deps } from './deps.ts';
import { Failure, UsageError } from './failure.ts';

const keyFile = 'operator.key';

/**
 * The home's origin: the given URL, HEARTH_SITE_URL, or this machine at PORT (8080). A gateway's container may not
 * resolve the site's name, so PORT is also used there.
 *
 * @throws UsageError if the given text isn't an http or https URL
 */
export function siteOf(given: string | undefined, { env }: Pick<Deps, 'env'>): string {
  const besideGateway = setting(env, 'PEER_IDENTITY') !== undefined;
  const site = besideGateway ? undefined : setting(env, 'HEARTH_SITE_URL');
  const port = setting(env, 'PORT') ?? '8080';
  const text = given ?? site ?? `http://localhost:${port}`;
  const url = URL.parse(text);
  const isSite = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  if (!isSite || url.username !== '') {
    if (given === undefined && site === undefined)
      throw new UsageError(`PORT is "${port}"; expected a whole number from 1 to 65535`);
    const name = given === undefined ? 'HEARTH_SITE_URL' : '--site';
    throw new UsageError(`${name} is "${text}"; expected a URL such as https://home.example`);
  }
  return url.origin;
}

/** The operator's key and its source. */
export interface OperatorKey {
  text: string;
  source: string;
}

/**
 * Finds the operator's key: HEARTH_OPERATOR_KEY, the file named by HEARTH_OPERATOR_KEY_FILE, or the home's data folder.
 *
 * @throws Failure that lists the places searched
 */
export function operatorKeyOf({
  env,
  folders,
  readFile,
}: Pick<Deps, 'env' | 'folders' | 'readFile'>): OperatorKey {
  const given = setting(env, 'HEARTH_OPERATOR_KEY');
  if (given !== undefined) return keyFrom(given, 'HEARTH_OPERATOR_KEY');
  const file = setting(env, 'HEARTH_OPERATOR_KEY_FILE');
  if (file !== undefined) return fromFile(file, readFile) ?? failMissing([file]);
  const paths = dataFolders({ env, folders }).map((folder) => join(folder, keyFile));
  for (const path of paths) {
    const key = fromFile(path, readFile);
    if (key !== undefined) return key;
  }
  return failMissing(paths);
}

function fromFile(path: string, readFile: Deps['readFile']): OperatorKey | undefined {
  let text: string | undefined;
  try {
    text = readFile(path)?.trim();
  } catch (error) {
    throw new Failure(`cannot read the operator key from ${path}: ${(error as Error).message}`);
  }
  if (text === undefined) return undefined;
  if (text === '') throw new Failure(`cannot read the operator key: ${path} is empty`);
  return keyFrom(text, path);
}

/** Several lines, for example, can't be a key and can't go into an HTTP header. */
function keyFrom(text: string, source: string): OperatorKey {
  if (!/^[\x20-\x7e]+$/.test(text))
    throw new Failure(
      `${source} doesn't contain an operator key: a key is a single line of printable ASCII characters`,
    );
  return { text, source };
}

function failMissing(paths: readonly string[]): never {
  throw new Failure(
    `no operator key found in ${paths.join(' or ')}; set HEARTH_OPERATOR_KEY, HEARTH_OPERATOR_KEY_FILE (a file with the ` +
      'key), or HEARTH_DATA (the data folder of the home)',
  );
}

/** The candidate data folders of the home, likeliest first. */
export function dataFolders({ env, folders }: Pick<Deps, 'env' | 'folders'>): string[] {
  const given = setting(env, 'HEARTH_DATA');
  if (given !== undefined && isAbsolute(given)) return [given];
  return [...new Set(folders.map((folder) => resolve(folder, given ?? 'data')))];
}

/** An empty variable counts as missing, as for the home itself. */
function setting(env: Deps['env'], name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
