{{- define "hearth.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .user }}
runAsGroup: {{ .user }}
fsGroup: {{ .user }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "hearth.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "hearth.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ default .name .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{- /* "true" if the process `who` (a service; `home` for all of them) reads the variable: some belong to one service, see files/settings.json. */ -}}
{{- define "hearth.reads" -}}
{{- $own := .root.Files.Get "files/settings.json" | fromJson -}}
{{- $owner := "" -}}
{{- range $service, $names := $own }}{{ if has $.name $names }}{{ $owner = $service }}{{ end }}{{ end -}}
{{- if or (eq .who "home") (eq $owner "") (eq $owner .who) }}true{{ end -}}
{{- end -}}

{{- /* The environment of the process `who`; `migrate` reads only the database variables. */ -}}
{{- define "hearth.env" -}}
{{- $who := .who -}}
{{- $root := .root -}}
{{- with .root -}}
{{- $full := include "hearth.fullname" . -}}
{{- $secret := include "hearth.secret" . -}}
- name: HEARTH_HOME
  value: {{ .Values.home.name | quote }}
- name: HEARTH_SITE_URL
  value: {{ default (printf "https://%s" .Values.home.name) .Values.home.siteUrl | quote }}
{{- if ne $who "migrate" }}
- name: HEARTH_BIND
  value: 0.0.0.0
{{- if include "hearth.reads" (dict "root" . "who" $who "name" "HEARTH_HOSTS") }}
- name: HEARTH_HOSTS
  {{- $gateway := printf "%s-gateway" $full }}
  value: {{ concat (list $gateway (printf "%s.%s" $gateway .Release.Namespace) (printf "%s.%s.svc" $gateway .Release.Namespace) (printf "%s.%s.svc.cluster.local" $gateway .Release.Namespace)) .Values.home.hosts | join "," | quote }}
{{- end }}
{{- if and .Values.home.trustedProxies (include "hearth.reads" (dict "root" . "who" $who "name" "HEARTH_TRUSTED_PROXIES")) }}
- name: HEARTH_TRUSTED_PROXIES
  value: {{ join "," .Values.home.trustedProxies | quote }}
{{- end }}
{{- range $name := list "HEARTH_PEER_SECRET" "HEARTH_SEAL_KEY" "HEARTH_OPERATOR_KEY" "HEARTH_SEAL_KEY_OTHER" "HEARTH_RECOVERY_KEY" }}
{{- if include "hearth.reads" (dict "root" $root "who" $who "name" $name) }}
{{ include "hearth.secretVariable" (dict "name" $name "secret" $secret "optional" (has $name (list "HEARTH_SEAL_KEY_OTHER" "HEARTH_RECOVERY_KEY"))) }}
{{- end }}
{{- end }}
{{- end }}
{{- if include "hearth.bringsPostgres" . }}
{{ include "hearth.secretVariable" (dict "name" "POSTGRES_PASSWORD" "secret" $secret) }}
- name: DATABASE_URL
  value: postgres://hearth:$(POSTGRES_PASSWORD)@{{ $full }}-postgres:5432/hearth
{{- else if .Values.database.existingSecret.name }}
{{ include "hearth.secretVariable" (dict "name" "DATABASE_URL" "secret" .Values.database.existingSecret.name "key" .Values.database.existingSecret.key) }}
{{- end }}
{{- if ne $who "migrate" }}
{{- if include "hearth.bringsNats" . }}
{{ include "hearth.secretVariable" (dict "name" "NATS_PASSWORD" "secret" $secret) }}
- name: NATS_URL
  value: nats://hearth:$(NATS_PASSWORD)@{{ $full }}-nats:4222
{{- else if .Values.nats.existingSecret.name }}
{{ include "hearth.secretVariable" (dict "name" "NATS_URL" "secret" .Values.nats.existingSecret.name "key" .Values.nats.existingSecret.key) }}
{{- else if .Values.nats.url }}
- name: NATS_URL
  value: {{ .Values.nats.url | quote }}
{{- end }}
{{- if include "hearth.bringsRedis" . }}
{{ include "hearth.secretVariable" (dict "name" "REDIS_PASSWORD" "secret" $secret) }}
- name: REDIS_URL
  value: redis://:$(REDIS_PASSWORD)@{{ $full }}-redis:6379
{{- else if .Values.redis.existingSecret.name }}
{{ include "hearth.secretVariable" (dict "name" "REDIS_URL" "secret" .Values.redis.existingSecret.name "key" .Values.redis.existingSecret.key) }}
{{- else if .Values.redis.url }}
- name: REDIS_URL
  value: {{ .Values.redis.url | quote }}
{{- end }}
{{- end }}
{{- with ternary .Values.single.nodeOptions .Values.home.nodeOptions (eq .Values.mode "single") }}
- name: NODE_OPTIONS
  value: {{ . | quote }}
{{- end }}
{{- if and (eq .Values.mode "split") (ne $who "migrate") }}
{{- range $name := without (splitList " " (include "hearth.services" .)) "gateway" }}
- name: PEER_{{ upper $name }}
  value: {{ $full }}-{{ $name }}:9090
{{- end }}
{{- end }}
{{- with .Values.smtp.existingSecret }}
{{- if and .name (include "hearth.reads" (dict "root" $root "who" $who "name" "SMTP_URL")) }}
{{ include "hearth.secretVariable" (dict "name" "SMTP_URL" "secret" .name "key" .key) }}
{{- end }}
{{- end }}
{{- with .Values.otlp }}
{{- if .endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .endpoint | quote }}
{{- if .headers.name }}
{{ include "hearth.secretVariable" (dict "name" "OTEL_EXPORTER_OTLP_HEADERS" "secret" .headers.name "key" .headers.key) }}
{{- end }}
{{- end }}
{{- end }}
{{- if .Values.metrics.enabled }}
- name: OTEL_METRICS_EXPORTER
  value: {{ ternary "prometheus,otlp" "prometheus" (ne .Values.otlp.endpoint "") }}
- name: OTEL_EXPORTER_PROMETHEUS_HOST
  value: 0.0.0.0
- name: OTEL_EXPORTER_PROMETHEUS_PORT
  value: "9464"
{{- end }}
{{- if .Values.authorities.existingSecret.name }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/hearth/authorities/{{ .Values.authorities.existingSecret.key }}
{{- end }}
{{- if and .Values.home.catalogues (ne $who "migrate") }}
- name: HEARTH_CATALOGUES
  value: /etc/hearth/catalogues
{{- end }}
{{- range $name, $value := .Values.home.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.home.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* The mounts of Secrets in a container, and their volumes. */ -}}
{{- define "hearth.authoritiesMount" -}}
{{- if .Values.authorities.existingSecret.name -}}
- {name: authorities, mountPath: /etc/hearth/authorities, readOnly: true}
{{- end -}}
{{- end -}}
{{- define "hearth.authoritiesVolume" -}}
{{- with .Values.authorities.existingSecret.name -}}
- name: authorities
  secret: {secretName: {{ . }}, defaultMode: 288}
{{- end -}}
{{- end -}}

{{- /* The texts of additional languages, a ConfigMap each. */ -}}
{{- define "hearth.catalogueMounts" -}}
{{- range $language, $name := .Values.home.catalogues }}
- {name: catalogue-{{ lower $language }}, mountPath: /etc/hearth/catalogues/{{ $language }}, readOnly: true}
{{- end }}
{{- end -}}
{{- define "hearth.catalogueVolumes" -}}
{{- range $language, $name := .Values.home.catalogues }}
- name: catalogue-{{ lower $language }}
  configMap: {name: {{ $name }}}
{{- end }}
{{- end -}}

{{- /* Common to every pod of this release, including jobs and data servers. */ -}}
{{- define "hearth.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Where pods may run, from a service's settings. */ -}}
{{- define "hearth.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "hearth.homeContainer" -}}
image: {{ include "hearth.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  {{- include "hearth.containerSecurity" . | nindent 2 }}
{{- end -}}

{{- /* Probes over HTTP. /health is only about the process, so that losing a dependency removes no pod. */ -}}
{{- define "hearth.httpProbes" -}}
startupProbe:
  httpGet: {path: /health, port: http}
  periodSeconds: 1
  timeoutSeconds: 3
  failureThreshold: 300
readinessProbe:
  httpGet: {path: /health, port: http}
  periodSeconds: 3
  timeoutSeconds: 3
  failureThreshold: 5
livenessProbe:
  httpGet: {path: /health, port: http}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end -}}

{{- /* gRPC probes don't support TLS: with certificates they only check that the port accepts connections. */ -}}
{{- define "hearth.grpcProbes" -}}
{{- $probe := ternary "tcpSocket: {port: 9090}" "grpc: {port: 9090}" .Values.tls.enabled -}}
startupProbe:
  {{ $probe }}
  periodSeconds: 1
  timeoutSeconds: 3
  failureThreshold: 300
readinessProbe:
  {{ $probe }}
  periodSeconds: 3
  timeoutSeconds: 3
  failureThreshold: 2
livenessProbe:
  {{ $probe }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end -}}
