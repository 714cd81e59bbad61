/** Settings of Spark: a cluster for two cores, reachable on loopback alone, that is quick to notice a loss. */

/** What a cluster can be asked for. */
export interface ClusterOptions {
  /** Number of executors, one on each worker; {@linkcode WORKERS} by default. */
  readonly executors?: number;
  /** Secret that clients must send. */
  readonly token?: string;
  /**
   * Address of an object store, such as `http://127.0.0.1:7070`, whose keys are those of `AWS_…`; or `moto` or
   * `versitygw`.
   */
  readonly s3?: string;
  /** Further settings of Spark. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Number of workers, each with one core and one executor. */
export const WORKERS = 2;
const LOOPBACK = "127.0.0.1";
/** Java's own files stay in the folder of the cluster, and its collector is that for small heaps. */
const javaOptions = (folder: string) => `-XX:+UseSerialGC -XX:-UsePerfData -Djava.io.tmpdir=${folder}/tmp`;

/** Variables of every process of a cluster. */
export function environmentOf(
  folder: string,
  { java, spark, s3a }: { readonly java: string; readonly spark: string; readonly s3a: string },
): Record<string, string> {
  return {
    JAVA_HOME: java,
    SPARK_HOME: spark,
    SPARK_CONF_DIR: `${folder}/conf`,
    SPARK_DIST_CLASSPATH: `${s3a}/*`,
    SPARK_LOCAL_IP: LOOPBACK,
  };
}

/** Variables of master and workers besides; the launcher would give them to the Connect server too. */
export function daemonEnvironmentOf(folder: string): Record<string, string> {
  return {
    SPARK_DAEMON_MEMORY: "200m",
    SPARK_DAEMON_JAVA_OPTS: [
      javaOptions(folder),
      // The master's second way to submit programs has a fixed port, and nobody uses it here.
      "-Dspark.master.rest.enabled=false",
      // Executors are ended on purpose; after ten in a row the master would end the Connect server too.
      "-Dspark.deploy.maxExecutorRetries=-1",
    ].join(" "),
  };
}

/** Arguments of `spark-class` for the master. */
export const MASTER_ARGS: readonly string[] = [
  "org.apache.spark.deploy.master.Master",
  ...["--host", LOOPBACK, "--port", "0", "--webui-port", "0"],
];

/** Arguments of `spark-class` for a worker. */
export function workerArgs(master: string, folder: string): readonly string[] {
  return [
    "org.apache.spark.deploy.worker.Worker",
    ...["--host", LOOPBACK, "--port", "0", "--webui-port", "0", "--cores", "1", "--memory", "1200m"],
    ...["--work-dir", folder, master],
  ];
}

/** Settings of the Connect server and its executors; port 0 is one that the system chooses. */
export function settingsOf(
  folder: string,
  { master, port, ui, options }: {
    readonly master: string;
    readonly port: number;
    readonly ui: number;
    readonly options: ClusterOptions;
  },
): Readonly<Record<string, string>> {
  const { token, s3, settings, executors = WORKERS } = options;
  return {
    "spark.master": master,
    "spark.app.name": "seqreg",
    "spark.driver.host": LOOPBACK,
    "spark.driver.bindAddress": LOOPBACK,
    "spark.ui.port": String(ui),
    "spark.connect.grpc.binding.address": LOOPBACK,
    "spark.connect.grpc.binding.port": String(port),
    ...token !== undefined && { "spark.connect.authenticate.token": token },
    "spark.driver.memory": "768m",
    "spark.driver.maxResultSize": "256m",
    "spark.executor.memory": "768m",
    "spark.executor.cores": "1",
    "spark.cores.max": String(executors),
    "spark.driver.extraJavaOptions": javaOptions(folder),
    "spark.executor.extraJavaOptions": javaOptions(folder),
    "spark.local.dir": `${folder}/local`,
    "spark.sql.warehouse.dir": `${folder}/warehouse`,
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "4",
    // A lake of some megabytes must still be read by both executors.
    "spark.sql.files.minPartitionNum": "2",
    "spark.sql.files.openCostInBytes": "65536",
    // An executor that does not answer is lost after 30 s instead of 120 s.
    "spark.network.timeout": "30s",
    "spark.network.timeoutInterval": "5s",
    "spark.executor.heartbeatInterval": "5s",
    "spark.ui.showConsoleProgress": "false",
    // Faults wait for a query's progress.
    "spark.connect.progress.reportInterval": "250ms",
    ...s3 !== undefined && {
      "spark.hadoop.fs.s3a.endpoint": s3,
      "spark.hadoop.fs.s3a.endpoint.region": Deno.env.get("AWS_REGION") ?? "us-east-1",
      "spark.hadoop.fs.s3a.path.style.access": "true",
      "spark.hadoop.fs.s3a.connection.ssl.enabled": String(s3.startsWith("https:")),
    },
    ...settings,
  };
}
