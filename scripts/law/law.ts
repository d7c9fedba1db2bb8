import { posix } from 'node:path';
import { exportsValues, type Import } from './imports.ts';
import { type Place, placeOf, placeWords, serviceNamesOf } from './places.ts';
import type { SourceFile, Tree } from './tree.ts';

/** A broken rule: where, what is wrong, and what would be right. */
export interface Breach {
  path: string;
  line: number;
  message: string;
}

/** Packages that domain code may use: they do no I/O. */
const purePackages = [
  'addresses',
  'calendar',
  'enum-names',
  'errors',
  'i18n',
  'ids',
  'paging',
  'people',
  'proto',
];
const pure = new RegExp(
  `^(?:node:crypto$|@bufbuild/protobuf(?:/|$)|@hearth/(?:${purePackages.join('|')})(?:/|$))`,
);

const moduleFolders = ['rpc', 'consumers', 'jobs', 'actions', 'domain', 'db'] as const;
const sharedFolders: readonly string[] = ['actions', 'domain', 'db'];
const moduleFiles: readonly string[] = ['module.ts', 'context.ts', 'README.md'];

/** All breaches of the import law in this tree, by path. */
export function breachesOf(tree: Tree): Breach[] {
  const services = serviceNamesOf(tree);
  const breaches = [
    ...tree.files.flatMap((file) => file.imports.flatMap((one) => workspaceBreaches(services, file, one))),
    ...services.filter((name) => name !== 'home').flatMap((name) => serviceBreaches(tree, name)),
  ];
  return breaches.sort((one, other) =>
    one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line,
  );
}

/** Rules for every file of the repository. */
function workspaceBreaches(
  services: readonly string[],
  { path }: SourceFile,
  { specifier, line }: Import,
): Breach[] {
  const says = (message: string) => [{ path, line, message: `imports "${specifier}". ${message}` }];
  const here = workspaceOf(path);
  if (specifier.startsWith('.')) {
    const there = workspaceOf(posix.join(posix.dirname(path), specifier));
    return there === null || there === here
      ? []
      : says(
          'Import another workspace by its name (@hearth/...), not by its path: what it exports is what it promises.',
        );
  }
  const [, name] = /^@hearth\/([\w-]+)/.exec(specifier) ?? [];
  if (name === 'home' && /^(?:packages|services)\//.test(path)) {
    return says(
      'No library and no service imports the whole home: that turns the house upside down. Take what you need as an argument.',
    );
  }
  // The protocol's vectors are checked against rules that a service exports for them.
  const isJudged = path.startsWith('interop/') && specifier !== `@hearth/${name}`;
  if (
    name !== undefined &&
    name !== 'home' &&
    services.includes(name) &&
    here !== 'services/home' &&
    !isJudged
  ) {
    return says(
      'Only services/home imports services. Call the other service through its gRPC client, so that both topologies run the same code.',
    );
  }
  return [];
}

/** "packages/db", "services/home", "web", "proto"; null outside of workspaces. */
function workspaceOf(path: string): string | null {
  return /^(?:(?:packages|services)\/[\w-]+|web|proto)(?=\/|$)/.exec(path)?.[0] ?? null;
}

/** Rules within one service. */
function serviceBreaches(tree: Tree, service: string): Breach[] {
  const source = `services/${service}/src`;
  const own = tree.files.filter(({ path }) => path.startsWith(`${source}/`));
  // The gateway, a service without tables, arranges its modules by what it serves.
  const free = !tree.paths.has(`services/${service}/migrations`);
  const modules = [...tree.paths]
    .filter((path) => posix.dirname(path) === source && !path.includes('.'))
    .map((path) => posix.basename(path))
    .filter((name) => name !== 'shared');
  return [
    ...layoutBreaches(tree, source, modules, free),
    ...moduleListBreaches(tree, service, modules, own),
    ...own.filter(({ path }) => !isTest(path)).flatMap((file) => fileBreaches(file, source)),
  ];
}

export const isTest = (path: string) => /\.test\.ts$/.test(path);

function layoutBreaches(tree: Tree, source: string, modules: readonly string[], free: boolean): Breach[] {
  const breaches: Breach[] = [];
  const say = (path: string, message: string) => breaches.push({ path, line: 1, message });
  for (const path of tree.paths) {
    if (!path.startsWith(`${source}/`)) continue;
    const [room, folder, ...rest] = path.slice(source.length + 1).split('/') as [string, ...string[]];
    const isFile = /\.\w+$/.test(path);
    if (folder === undefined) {
      if (isFile && room !== 'main.ts' && room !== 'service.ts')
        say(
          path,
          'lies loose. src/ holds main.ts, service.ts and modules: move it into its module, or into shared/.',
        );
    } else if (room === 'shared') {
      if (rest.length === 0 && !isFile && !sharedFolders.includes(folder))
        say(path, `is no folder of shared/, which has ${sharedFolders.join(', ')}.`);
    } else if (!free && rest.length === 0) {
      if (isFile ? !moduleFiles.includes(folder) && !isTest(path) : !moduleFolders.includes(folder as never))
        say(path, `has no place in a module, which has ${[...moduleFiles, ...moduleFolders].join(', ')}.`);
    } else if (folder === 'rpc' && rest.length > 0) {
      if (rest.length > 1 || rest[0] === 'index.ts' || !isFile)
        say(path, 'is no file of one rpc. rpc/ holds files named as their rpc and nothing else.');
    }
  }
  for (const name of modules) {
    const isDomainAlone = !moduleFolders.some(
      (folder) => folder !== 'domain' && tree.paths.has(`${source}/${name}/${folder}`),
    );
    for (const file of free ? ['module.ts'] : moduleFiles) {
      // Pure functions need no context.
      if (isDomainAlone && file === 'context.ts') continue;
      if (!tree.paths.has(`${source}/${name}/${file}`)) {
        const why = {
          'module.ts': 'It is the only door of the module: it starts it, and re-exports what others need.',
          'context.ts': 'It has the type of what every file of the module is given.',
          'README.md': 'It says in about ten lines what the module owns, serves, announces and consumes.',
        }[file];
        say(`${source}/${name}`, `has no ${file}. ${why}`);
      }
    }
  }
  return breaches;
}

/** The module list in package.json: complete, correct and without cycles. */
function moduleListBreaches(
  tree: Tree,
  service: string,
  modules: readonly string[],
  own: readonly SourceFile[],
): Breach[] {
  const path = `services/${service}/package.json`;
  const breaches: Breach[] = [];
  const say = (message: string) => breaches.push({ path, line: 1, message });
  const listed = (JSON.parse(tree.read(path) ?? '{}').modules ?? {}) as Record<string, string[]>;
  for (const name of modules) {
    if (listed[name] === undefined)
      say(`"modules" does not list ${name}: add "${name}": [the modules that it imports].`);
  }
  for (const [name, targets] of Object.entries(listed)) {
    if (!modules.includes(name))
      say(`"modules" lists ${name}, which is no module of this service: take it out.`);
    for (const target of targets) {
      if (listed[target] === undefined)
        say(`"modules" lets ${name} import ${target}, which is no module of this service.`);
      else if (!imports(own, service, name, target))
        say(`"modules" lets ${name} import ${target}, which it does not: take it out.`);
    }
  }
  for (const file of own.filter((one) => !isTest(one.path))) {
    const from = placeOf(file.path);
    if (from?.module == null) continue;
    for (const one of file.imports) {
      const to = targetOf(file, one);
      if (to?.module == null || to.module === from.module || to.service !== service) continue;
      if (listed[from.module]?.includes(to.module) !== true) {
        const message = `imports the module ${to.module}, which ${path} does not list for ${from.module}. List it in "modules", if the order stays without circles; else let service.ts hand over what is needed.`;
        breaches.push({ path: file.path, line: one.line, message });
      }
    }
  }
  for (const circle of circlesOf(new Map(Object.entries(listed))))
    say(
      `"modules" goes in a circle: ${[...circle, circle[0]].join(' -> ')}. One of them must do without the next.`,
    );
  return breaches;
}

function imports(own: readonly SourceFile[], service: string, name: string, target: string): boolean {
  return own.some(
    (file) =>
      !isTest(file.path) &&
      placeOf(file.path)?.module === name &&
      file.imports.some((one) => {
        const to = targetOf(file, one);
        return to?.service === service && to.module === target;
      }),
  );
}

function targetOf({ path }: SourceFile, { specifier }: Import): Place | null {
  return specifier.startsWith('.') ? placeOf(posix.join(posix.dirname(path), specifier)) : null;
}

/** Rules for the imports of one file, by its place. */
function fileBreaches(file: SourceFile, source: string): Breach[] {
  const from = placeOf(file.path);
  if (from === null) return [];
  const breaches: Breach[] = [];
  for (const one of file.imports) {
    const to = targetOf(file, one);
    const message =
      to === null ? packageRule(from, one) : to.service === from.service ? ownRule(from, to, one) : null;
    if (message !== null)
      breaches.push({ path: file.path, line: one.line, message: `imports "${one.specifier}". ${message}` });
  }
  const line = from.kind === 'shared' ? exportsValues(file.tokens) : null;
  if (line !== null) {
    const message = `exports values. ${source}/shared itself holds types alone: put the code into shared/domain, shared/db or shared/actions.`;
    breaches.push({ path: file.path, line, message });
  }
  return breaches;
}

function packageRule(from: Place, { specifier, type }: Import): string | null {
  if (specifier.startsWith('.') || type || from.kind !== 'domain' || pure.test(specifier)) return null;
  return `domain is rules as pure functions: of packages it uses @hearth/{${purePackages.join(',')}}, @bufbuild/protobuf and node:crypto alone, and types of any. Take anything else as an argument.`;
}

const composition =
  'service.ts and module.ts put things together, and nothing below imports them. Take what you need from the context.';

const whatIsGiven = ['actions', 'domain', 'db', 'context', 'shared', 'free'];

/** The places of its own module and of shared/ that each place may import. */
const mayImport: Record<string, readonly string[]> = {
  rpc: whatIsGiven,
  consumers: whatIsGiven,
  jobs: whatIsGiven,
  actions: whatIsGiven,
  domain: ['domain', 'shared'],
  db: ['db', 'shared'],
  module: ['consumers', 'jobs', ...whatIsGiven],
  free: whatIsGiven,
  context: ['shared'],
  shared: ['shared'],
};

/** The places that it may also import types from. */
const mayImportTypes: Record<string, readonly string[]> = {
  domain: ['db'],
  db: ['domain'],
  context: ['actions', 'domain', 'db', 'context'],
};

const reasons: Record<string, string> = {
  domain:
    'domain is rules as pure functions: it knows nothing of calls, tables, events or configuration. Take what it needs as arguments.',
  db: 'db imports db and packages alone, and types of domain: not what decides or announces. Let the rpc or action bring them together.',
  context: 'context.ts holds a type, and imports types alone.',
  shared:
    'shared is what several modules use, and imports none of them. Move it into the module, or the rest into shared.',
};

function ownRule(from: Place, to: Place, { type }: Import): string | null {
  if (from.kind === 'main') {
    return to.kind === 'service'
      ? null
      : 'main.ts starts the service and does nothing else: it imports service.ts.';
  }
  if (to.kind === 'main' || to.kind === 'service') return composition;
  if (from.kind === 'service') {
    return to.kind === 'module'
      ? null
      : 'service.ts imports the module.ts of each module, and packages: what others need, module.ts re-exports.';
  }
  if (from.module === null && to.module !== null) return reasons['shared']!;
  if (from.module !== to.module && to.module !== null) {
    if (to.kind !== 'module')
      return `The module ${to.module} is imported by its module.ts alone: re-export there what others need.`;
    if (type || !['domain', 'db', 'context'].includes(from.kind)) return null;
    return reasons[from.kind]!;
  }
  if (to.kind === 'module') return composition;
  if (to.module === null) return sharedRule(from, to, type);
  const allowed = mayImport[from.kind]!.includes(to.kind);
  if (allowed || (type && mayImportTypes[from.kind]?.includes(to.kind))) return null;
  if (to.kind === 'rpc')
    return 'Nothing imports rpc/: put what two of them share into actions, domain or db.';
  if (['rpc', 'consumers', 'jobs'].includes(from.kind) && ['consumers', 'jobs'].includes(to.kind)) {
    return `${from.kind} import neither each other nor their neighbours: put what two of them do into actions.`;
  }
  return (
    reasons[from.kind] ??
    `${placeWords(from)} imports no ${placeWords(to)}: only module.ts imports consumers and jobs.`
  );
}

/** shared/ follows a module's rules for its domain, db and actions. */
function sharedRule(from: Place, to: Place, type: boolean): string | null {
  if (to.kind === 'shared') return null;
  if (from.kind === 'domain' && to.kind !== 'domain' && !(type && to.kind === 'db'))
    return reasons['domain']!;
  if (from.kind === 'db' && to.kind !== 'db' && !(type && to.kind === 'domain')) return reasons['db']!;
  if ((from.kind === 'context' || from.kind === 'shared') && !type)
    return reasons[from.kind === 'context' ? 'context' : 'shared']!;
  return null;
}

/** The shortest cycle through each node of a directed graph, except through nodes of an earlier cycle. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const settled = new Set<string>();
  for (const start of graph.keys()) {
    if (settled.has(start)) continue;
    const path = wayBack(graph, start);
    if (path === null) continue;
    for (const name of path) settled.add(name);
    circles.push(path);
  }
  return circles;
}

/** The shortest path from a place back to itself; null if there is none. */
function wayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    for (const next of graph.get(name) ?? []) {
      if (next === start) {
        const way = [name];
        while (way[0] !== start) way.unshift(cameFrom.get(way[0]!)!);
        return way;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, name);
      queue.push(next);
    }
  }
  return null;
}
