/**
 * Charts and analyses.
 *
 * @module
 */
export {
  Chart,
  chart,
  type ChartMeta,
  type ChartSource,
  type ChartSpec,
  describeSource,
  type SaveChartOptions,
} from "./chart.ts";
export type { LegendEntry } from "./_compose.ts";
export type { PlotLibrary } from "./_plot.ts";
