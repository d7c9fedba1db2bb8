import { badRequest, internal } from '@hearth/errors';
import type { Segment } from '../operations/module.ts';

/** The routes of a path by their method, and the values of the path's parameters, decoded. */
export interface Found<Route> {
  readonly routes: ReadonlyMap<string, Route>;
  readonly values: readonly string[];
}

interface Node<Route> {
  fixed: Map<string, Node<Route>>;
  parameter: Node<Route> | undefined;
  routes: Map<string, Route>;
}

const noValues: readonly string[] = [];

/**
 * Routes by method and path, found in a time that does not grow with their number. Fixed text goes before a
 * parameter: /messages/read is never a message with the id "read".
 */
export class RouteTree<Route> {
  readonly #root = createNode<Route>();
  /** Paths without parameters, which are most of the traffic, whole. */
  readonly #plain = new Map<string, Found<Route>>();

  add(method: string, segments: readonly Segment[], route: Route): void {
    let node = this.#root;
    for (const { text, parameter } of segments) {
      if (text !== undefined) node = fixedChild(node, text);
      else if (parameter !== undefined) node = node.parameter ??= createNode();
    }
    const path = `/${segments.map((segment) => segment.text ?? `{${segment.parameter}}`).join('/')}`;
    if (node.routes.has(method)) throw internal(`two operations want ${method} ${path}`);
    node.routes.set(method, route);
    if (segments.every((segment) => segment.text !== undefined)) {
      this.#plain.set(path, { routes: node.routes, values: noValues });
    }
  }

  /**
   * Finds the routes of `path` (as it stands in the request, without the query); undefined without any. A slash at its
   * end does not count. Throws bad_request for a malformed percent-encoding.
   */
  find(path: string): Found<Route> | undefined {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    const segments = path.split('/').slice(1);
    if (segments.length > 1 && segments.at(-1) === '') segments.pop();
    const values: string[] = [];
    const node = search(this.#root, segments.map(decodeSegment), 0, values);
    return node && { routes: node.routes, values };
  }
}

function createNode<Route>(): Node<Route> {
  return { fixed: new Map(), parameter: undefined, routes: new Map() };
}

function fixedChild<Route>(node: Node<Route>, text: string): Node<Route> {
  let child = node.fixed.get(text);
  if (child === undefined) {
    child = createNode();
    node.fixed.set(text, child);
  }
  return child;
}

function search<Route>(
  node: Node<Route>,
  segments: readonly string[],
  index: number,
  values: string[],
): Node<Route> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.routes.size > 0 ? node : undefined;
  const fixed = node.fixed.get(segment);
  const found = fixed && search(fixed, segments, index + 1, values);
  if (found !== undefined) return found;
  if (node.parameter === undefined || segment === '') return undefined;
  values.push(segment);
  const below = search(node.parameter, segments, index + 1, values);
  if (below === undefined) values.pop();
  return below;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('the path holds a malformed percent-encoding; encode it as UTF-8');
  }
}
