# Prints for each token vector whether the page's code accepts it, as JSON.
require_relative "server"

verdicts = JSON.parse(File.read(ARGV[0], encoding: "UTF-8"))["vectors"].map do |vector|
  bound?(verify(vector["token"], vector["secret"], vector["now"]), vector["body"].to_s)
rescue StandardError
  false
end
puts JSON.generate(verdicts)
