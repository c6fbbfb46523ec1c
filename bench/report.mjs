// Loaded before a server: says over IPC what its process has used so far, and ends with whoever started it.
process.on('message', () => process.send({ cpu: process.cpuUsage(), memory: process.memoryUsage() }))
process.on('disconnect', () => process.exit())
process.channel.unref()
