import { beforeAll } from '@jest/globals';
import { ensureHelm, type Resource, render } from './render-chart.ts';

/** The files of deploy/helm/hearth/ci. */
export const cases = ['split', 'single', 'production', 'keda'];

const rendered = new Map<string, Resource[]>();

/** The resources that the chart renders with one of them. All tests of a file share them: read them only. */
export function of(file: string): Resource[] {
  const known = rendered.get(file) ?? render({ file });
  rendered.set(file, known);
  return known;
}

/** Go builds helm of its sources before the first test, where it has not yet. */
export const useHelm = () => beforeAll(ensureHelm, 900_000);
