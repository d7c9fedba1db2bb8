import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { dashboards } from './dashboards.ts';
import { seriesIn, seriesOf } from './metrics.ts';
import { matches, ofKind, one, podsOf, type Resource, root } from './render-chart.ts';
import { of, useHelm } from './rendered.ts';
import { rules } from './rules.ts';
import { serviceNames } from './values.ts';

useHelm();

describe('monitoring', () => {
  const series = seriesOf(root);
  const alerts = rules.groups.flatMap((group) => group.rules);

  test('uses only series that a home exports, in every alert and panel', () => {
    const expressions = [
      ...alerts.map(({ expr }) => expr),
      ...Object.values(dashboards).flatMap((dashboard: Resource) =>
        dashboard.panels.flatMap(({ targets }: Resource) => targets.map(({ expr }: Resource) => expr)),
      ),
    ];
    expect(expressions.length).toBeGreaterThan(30);
    for (const expression of expressions) {
      const named = seriesIn(expression);
      expect(named.length).toBeGreaterThan(0);
      for (const name of named)
        expect({ expression, known: series.has(name), name }).toMatchObject({ known: true });
    }
  });

  test('limits alerts to this home, each with its runbook', () => {
    const [rule] = ofKind(of('production'), 'PrometheusRule');
    const document = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8').toLowerCase();
    const rendered = rule.spec.groups.flatMap(({ rules: list }: Resource) => list);
    expect(rendered).toHaveLength(alerts.length);
    for (const { alert, expr, annotations } of rendered) {
      expect(expr).toContain('{namespace="homes",app_kubernetes_io_instance="home-a"');
      expect(expr).not.toContain('HOME');
      expect(annotations.runbook_url).toBe(`docs/kubernetes.md#${alert.toLowerCase()}`);
      expect(document).toContain(`### ${alert.toLowerCase()}\n`);
    }
  });

  test('opens metrics on pods for a PodMonitor', () => {
    const [monitor] = ofKind(of('production'), 'PodMonitor');
    const services = podsOf(of('production')).filter(({ name }) => /hearth-(?!test|migrate)/.test(name));
    expect(services).toHaveLength(serviceNames.length);
    for (const { labels, spec } of services) {
      expect(matches(monitor.spec.selector.matchLabels, labels)).toBe(true);
      const port = spec.containers[0].ports.find(({ name }: Resource) => name === 'metrics');
      expect(port.containerPort).toBe(9464);
    }
    expect(JSON.stringify(of('split'))).not.toContain('9464');
  });

  test('exports by OTLP too when an endpoint is given', () => {
    const variables = (file: string) => {
      const { env } = one(of(file), 'Deployment', 'home-a-hearth-messages').spec.template.spec.containers[0];
      return Object.fromEntries(env.map(({ name, value }: Resource) => [name, value]));
    };
    expect(variables('production')).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.monitoring:4317',
      OTEL_METRICS_EXPORTER: 'prometheus,otlp',
    });
    expect(Object.keys(variables('split')).filter((name) => name.startsWith('OTEL_'))).toEqual([]);
  });

  test('ships dashboards as JSON', () => {
    const [map] = ofKind(of('production'), 'ConfigMap');
    expect(Object.keys(map.data)).toHaveLength(4);
    for (const text of Object.values(map.data as Record<string, string>))
      expect(JSON.parse(text).panels.length).toBeGreaterThan(4);
  });
});
