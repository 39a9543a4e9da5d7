import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { SpanData } from '../../history/spans.ts';
import { VERSION } from '../../version.ts';

/** Sends spans to a collector as OTLP over HTTP. Rejects if one batch is not accepted. */
export async function sendSpans(
  spans: readonly SpanData[],
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const ids = { traceId: '', spanId: '' };
  const problems: Error[] = [];
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers } });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'hookline', 'service.version': VERSION }),
    // Hookline sets the IDs, so that spans that are sent again have the same ones.
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: watched(exporter, problems), maxQueueSize: spans.length + 512 }),
    ],
  });
  const tracer = provider.getTracer('hookline', VERSION);
  for (const data of spans) {
    ids.traceId = data.traceId;
    ids.spanId = data.spanId;
    const parent =
      data.parentId === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId: data.traceId,
            spanId: data.parentId,
            traceFlags: TraceFlags.SAMPLED,
          });
    const options = { kind: SpanKind.INTERNAL, startTime: data.startMs, attributes: { ...data.attributes } };
    const span = tracer.startSpan(data.name, options, parent);
    if (data.failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(data.endMs);
  }
  await provider.forceFlush();
  await provider.shutdown();
  if (problems[0] !== undefined) throw problems[0];
}

/** The processor reports no rejected batches. */
function watched(exporter: OTLPTraceExporter, problems: Error[]): OTLPTraceExporter {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.error) problems.push(result.error);
      done(result);
    });
  return exporter;
}
