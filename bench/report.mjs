// Preloaded into a server: reports its resource usage over IPC, and exits with its parent.
process.on('message', () => process.send({ cpu: process.cpuUsage(), memory: process.memoryUsage() }))
process.on('disconnect', () => process.exit())
process.channel.unref()
